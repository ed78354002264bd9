"""Django settings, one module a concern; every value from the environment goes through ``environment.env``."""

from .api import *  # noqa: F403
from .base import *  # noqa: F403
from .database import *  # noqa: F403
from .limits import *  # noqa: F403
from .locale import *  # noqa: F403
from .logging import *  # noqa: F403
from .quran import *  # noqa: F403
from .search import *  # noqa: F403
from .security import *  # noqa: F403
from .static import *  # noqa: F403
