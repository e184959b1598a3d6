import pkg
from pkg import Agent, Alias
import pkg.core as core
Agent(name="a"); Alias("b", 2); core.Agent(**{"name": "c"})
=== pkg/__init__.py
from .core import Agent
from .core import Agent as Alias
__all__ = ["Agent", "Alias"]
=== pkg/core.py
# -*- coding: latin-1 -*-
class Agent:
    """An agent.

    >>> Agent("doctest")
    """
    def __init__(self, name, size: int = 1): self.name = name
=== tests/test_core.py
import pytest
from pkg import Agent
@pytest.fixture
def agent(): return Agent("fixture")
def test_it(agent): assert agent.name
=== docs/guide.md
```python
from pkg import Agent
Agent("in a document", size=2)
```
