"""What all tests share: real books where they lie beside the checkout, a browser where there is one, honest skips."""

from __future__ import annotations

from asyncio import events
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import AppConfig, apps
from django.db import models, transaction
from django.db.models.signals import post_migrate
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from qaf.settings.environment import env

SHARED = Path(__file__).resolve().parents[2] / "shared"
OUR_APPS = ("library", "search", "quran")

pytest_plugins = ["tests.browser", "tests.mcp_node.packages"]

# A busy machine is no counterexample.
hypothesis_settings.register_profile("qaf", deadline=None)
hypothesis_settings.load_profile("qaf")


# -- skips ----------------------------------------------------------------------------------------------------------


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for the shared folder, and skip it by reason where that folder is absent."""
    for item in items:
        if {"shared", "corpus"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.corpus)
        if item.get_closest_marker("corpus") and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason="no ../shared beside this checkout"))
        if (live := item.get_closest_marker("live")) and not all(env(name) for name in live.args):
            item.add_marker(pytest.mark.skip(reason=f"live: needs {' and '.join(live.args)}"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of read-only inputs beside the checkout."""
    return SHARED


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The real books: ``openiti/`` and ``other/``."""
    return SHARED / "corpus"


class SkipsAllowed:
    """In continuous integration a skip is a failure, unless it is a live test without its key."""

    def __init__(self) -> None:
        self.forbidden: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a skipped test."""
        if report.skipped and not hasattr(report, "wasxfail") and "live" not in report.keywords:
            self.forbidden.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a module skipped as a whole."""
        if report.skipped:
            self.forbidden.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run when something was skipped."""
        if self.forbidden and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say which."""
        for nodeid in sorted(self.forbidden):
            terminalreporter.write_line(f"FAILED in CI because it was skipped: {nodeid}", red=True)


class TimeByFile:
    """Prints how long the tests of each file took, the longest first."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one phase of one test."""
        self.seconds[report.location[0]] += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the sums."""
        terminalreporter.section("seconds by file")
        for file, seconds in self.seconds.most_common():
            terminalreporter.write_line(f"{seconds:8.1f}  {file}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare ``--time-by-file``."""
    parser.addoption("--time-by-file", action="store_true", help="print how long the tests of each file took")


def pytest_configure(config: pytest.Config) -> None:
    """Forbid skips when CI is set, count time when asked; under xdist only the controller does either."""
    if hasattr(config, "workerinput"):
        return
    if env("CI"):
        config.pluginmanager.register(SkipsAllowed())
    if config.getoption("--time-by-file"):
        config.pluginmanager.register(TimeByFile())


# -- database -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Put the rows of data migrations (the genres) back after a transactional test has emptied every table."""
    ours = [model for label in OUR_APPS for model in apps.get_app_config(label).get_models() if model._meta.managed]
    with django_db_blocker.unblock():
        kept = {model: list(model._base_manager.all()) for model in ours}

    def put_back(sender: AppConfig, **kwargs: object) -> None:
        with transaction.atomic():
            for model, rows in kept.items():
                _missing(model, rows)

    def _missing(model: type[models.Model], rows: list[models.Model]) -> None:
        if rows and not model._base_manager.exists():
            model._base_manager.bulk_create(rows)

    post_migrate.connect(put_back, sender=apps.get_app_config("library"), weak=False)


# -- limits ---------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _no_limit_of_calls(settings: Settings) -> None:
    """Nobody's calls are counted, unless a test asks for a limit."""
    settings.CALLS_PER_MINUTE = settings.CALLS_PER_MINUTE_WITH_KEY = 0


# -- languages ------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["ar", "en"])
def language(request: pytest.FixtureRequest) -> str:
    """Each interface language in turn."""
    return str(request.param)


@pytest.fixture
def prefix(language: str) -> str:
    """What paths begin with in that language: Arabic has no prefix."""
    return "" if language == "ar" else f"/{language}"


# -- models -----------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _no_reranker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches keep their fused order: a test that is about reranking says which reranker."""
    monkeypatch.setattr("search.retrieve.chosen_reranker", lambda: None)


@pytest.fixture
def outside_event_loop() -> Iterator[None]:
    """No event loop runs in the tests' thread: a browser, once started, keeps one there, and async views want none."""
    running = events._get_running_loop()
    events._set_running_loop(None)
    yield
    events._set_running_loop(running)
