"""Calls in every form."""
from other import Agent, build as make
import other

agent = Agent("name", model="small", *rest, **options)
agent.run("question", timeout=3.0)
with make(agent) as session:
    for item in session.items():
        print(item.name if isinstance(item, Agent) else other.LIMIT)
[x.run("q") for x in [agent] if (y := x.ready)]
=== other.py
LIMIT: int = 10
class Agent:
    def __init__(self, name: str, *, model: str = "", **extra) -> None:
        self.name = name
    def run(self, question: str, /, timeout: float = 30.0) -> "Agent":
        return self
    @property
    def ready(self) -> bool: ...
def build(agent: Agent) -> Agent:
    return agent
