from __future__ import annotations
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypedDict, overload, Generic, TypeVar, Protocol
T = TypeVar("T", bound="Base")
class Base(Generic[T]):
    kind = "base"
    def __new__(cls, *args): return super().__new__(cls)
    @classmethod
    def make(cls: type[T], n: int = 0) -> T: return cls(n)
@dataclass(kw_only=True, slots=True)
class Row(Base["Row"]):
    a: int
    b: list[str] = field(default_factory=list)
class Point(NamedTuple):
    x: float = 0
class Options(TypedDict, total=False):
    deep: bool
class Color(Enum):
    RED = 1
@overload
def f(x: int) -> int: ...
@overload
def f(x: str, *, strict: bool = ...) -> str: ...
def f(x, **kw): return x
Row(a=1, b=["x"]); Point(1); f("s", strict=True); Row.make(n=2); Color.RED.value
