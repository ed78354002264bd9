"""Instances of a JSON Schema, and instances that break one keyword of it alone; drawn at random, the same every time.

Knows the keywords that the contract uses, and raises for any other.
"""

from __future__ import annotations

import copy
import random
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Schema = Mapping[str, Any]
Path = tuple[str, ...]

ANNOTATIONS = {"description", "default", "format", "title"}
LETTERS = "abcXYZ 0189-:\t\nغزالي٢٣ّ\u200f\U0001f54c\u00a0é"
JUNK: dict[str, list[Any]] = {
    "null": [None],
    "boolean": [True, False],
    "integer": [0, 1, -3, 10**30],
    "number": [1.5, -0.25],
    "string": ["", "3", "x", "AND", "null"],
    "array": [[], [1], ["x"]],
    "object": [{}, {"gt": 1}],
}


@dataclass
class Cases:
    """``strings`` makes the text at a path (array items are ``*``) where any text will not do."""

    schema: Schema
    seed: int = 0
    strings: Mapping[Path, Callable[[random.Random], str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.targets = list(_targets(self.schema, ()))

    def valid(self) -> Any:
        """An instance."""
        return self._sample(self.schema, (), ())

    def broken(self, target: tuple[Path, str]) -> Any:
        """An instance but for one keyword at one place."""
        path, keyword = target
        made = {"": self._sample(self.schema, (), path)}
        holder, key, here = made, "", self.schema
        for step in path:
            holder = holder[key]
            key = self.random.randrange(len(holder)) if step == "*" else step
            here = here["items"] if step == "*" else here["properties"][step]
        holder[key] = self._violation(here, keyword, holder[key])
        return made[""]

    def draw(self, count: int, share_valid: float) -> Iterator[tuple[Any, tuple[Path, str] | None]]:
        """``count`` cases: an instance and what was broken in it; every keyword first, then at random."""
        for number in range(count):
            if number < len(self.targets):
                yield self.broken(self.targets[number]), self.targets[number]
            elif self.random.random() < share_valid:
                yield self.valid(), None
            else:
                target = self.random.choice(self.targets)
                yield self.broken(target), target

    def _sample(self, schema: Schema, path: Path, needed: Path) -> Any:
        """``needed`` is the way to a place that must be there."""
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        kind = schema["type"]
        if isinstance(kind, list):
            kind = self.random.choice(kind)
        if kind == "object":
            return self._object(schema, path, needed)
        if kind == "array":
            return self._array(schema, path, needed)
        if kind == "string":
            return self._string(schema, path)
        if kind == "integer":
            return self._integer(schema)
        raise NotImplementedError(kind)

    def _object(self, schema: Schema, path: Path, needed: Path) -> dict[str, Any]:
        properties = schema["properties"]
        names = set(schema.get("required", ())) | set(needed[:1])
        names |= {name for name in properties if self.random.random() < 0.5}
        while len(names) < schema.get("minProperties", 0):
            names.add(self.random.choice(list(properties)))
        made = {
            name: self._sample(properties[name], (*path, name), needed[1:] if name in needed[:1] else ())
            for name in properties
            if name in names
        }
        if schema.get("additionalProperties", True) is not False and self.random.random() < 0.2:
            made["unheard-of"] = self.random.choice(JUNK[self.random.choice(list(JUNK))])
        return made

    def _array(self, schema: Schema, path: Path, needed: Path) -> list[Any]:
        least = max(schema.get("minItems", 0), 1 if needed else 0)
        most = schema.get("maxItems", least + 3)
        size = self.random.choice([least, most, self.random.randint(least, min(most, least + 3))])
        return [self._sample(schema["items"], (*path, "*"), needed[1:]) for _ in range(size)]

    def _string(self, schema: Schema, path: Path) -> str:
        if path in self.strings:
            return self.strings[path](self.random)
        if "pattern" in schema:
            return self._uuid()
        least, most = schema.get("minLength", 0), schema.get("maxLength", 50)
        size = self.random.choice([least, most, self.random.randint(least, min(most, least + 20))])
        return "".join(self.random.choice(LETTERS) for _ in range(size))

    def _uuid(self) -> str:
        made = str(uuid.UUID(int=self.random.getrandbits(128), version=self.random.choice([1, 3, 4, 5])))
        edges = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"]
        return self.random.choice([made, made, made, made.upper(), *edges])

    def _integer(self, schema: Schema) -> int | float:
        least = schema.get("minimum", schema.get("exclusiveMinimum", -1001) + 1)
        most = schema.get("maximum", 10**15 if self.random.random() < 0.1 else least + 1000)
        number = self.random.choice([least, most, self.random.randint(least, most)])
        return float(number) if self.random.random() < 0.1 else number

    def _violation(self, schema: Schema, keyword: str, value: Any) -> Any:
        """``value`` changed so that ``keyword`` alone refuses it."""
        name, _, of = keyword.partition(":")
        if name == "type":
            kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            wrong = [kind for kind in JUNK if kind not in kinds and not (kind == "integer" and "number" in kinds)]
            return copy.deepcopy(self.random.choice(JUNK[self.random.choice(wrong)]))
        if name == "required":
            return {key: item for key, item in value.items() if key != of}
        match name:
            case "enum" | "const":
                return self.random.choice(["nothing of the kind", "", "En"])
            case "minLength":
                return "x" * (schema[name] - 1)
            case "maxLength":
                return "x" * (schema[name] + self.random.choice([1, 7]))
            case "pattern":
                return self._not_uuid()
            case "minimum":
                return schema[name] - self.random.choice([1, 100])
            case "exclusiveMinimum":
                return schema[name] - self.random.choice([0, 5])
            case "maximum":
                return schema[name] + self.random.choice([1, 100])
            case "minItems":
                return value[: schema[name] - 1]
            case "maxItems":
                return [value[0] if value else self._sample(schema["items"], ("*",), ())] * (schema[name] + 1)
            case "minProperties":
                return {}
            case "additionalProperties":
                return {**value, "unheard-of": 1}
        raise NotImplementedError(keyword)

    def _not_uuid(self) -> str:
        whole = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        return self.random.choice(
            ["", "x", whole[:-1], f"{{{whole}}}", whole.replace("-", ""), whole + "\n", whole[:14] + "9" + whole[15:]]
        )


def _targets(schema: Schema, path: Path) -> Iterator[tuple[Path, str]]:
    """Every keyword at every place that can be broken alone."""
    for keyword, value in schema.items():
        if keyword == "required":
            yield from ((path, f"required:{name}") for name in value)
        elif keyword == "additionalProperties":
            if value is False:
                yield path, keyword
        elif keyword == "properties":
            for name, part in value.items():
                yield from _targets(part, (*path, name))
        elif keyword == "items":
            yield from _targets(value, (*path, "*"))
        elif keyword not in ANNOTATIONS:
            yield path, keyword
