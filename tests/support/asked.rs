//! A log of agents' requests made by hand.

use apidisc_tui::requests::{LoggedRequest, NewEntries, Request};
use serde_json::{Value, json};

/// The time at which the log is read.
pub const NOW: u64 = 1_800_000_000_000;

/// A request that was answered some seconds before [`NOW`].
#[allow(clippy::needless_pass_by_value, reason = "tests write the arguments in place")]
pub fn asked(server: &str, seconds: u64, tool: &str, arguments: Value, tokens: usize, answer: &str) -> LoggedRequest {
    LoggedRequest {
        server: server.to_owned(),
        request: Request {
            time: NOW - 1_000 * seconds,
            client: "claude-code 2.1.280".to_owned(),
            tool: tool.to_owned(),
            arguments: arguments.as_object().unwrap().clone(),
            tokens,
            micros: 1_700 * tokens as u64,
            answer: answer.to_owned(),
            ..Request::default()
        },
    }
}

/// A session that is live and one that has ended, on the library of [`super::station`].
pub fn log() -> NewEntries {
    let stub = "class Agent(BaseAgent):\n    \"\"\"An agent that asks a model what to do next.\"\"\"\n\n    def \
                __init__(self, name: str, *, model: Union[str, BaseModel] = '') -> None: ...\n    # 412 calls";
    let mut help = asked("2-1", 20, "get_module_help", json!({"module_name": "station", "max_tokens": 800}), 812, stub);
    help.request.delivered =
        ["station.agents.core.Agent", "station.agents.core.Agent.run", "station.gone"].map(str::to_owned).to_vec();
    let mut search = asked("2-1", 25, "search_symbols", json!({"query": "agent"}), 40, "Agent  class  412 calls");
    search.request.delivered = vec!["station.agents.core.Agent".to_owned()];
    let mut again = asked("2-1", 3, "get_symbols", json!({"hashes": ["station.Agent"]}), 21, "Agent: unchanged");
    again.request.spared = 291;
    let mut wrong = asked("1-1", 9_000, "get_symbols", json!({"hashes": ["Agnet"]}), 18, "Agnet: is it Agent?");
    wrong.request.is_error = true;
    wrong.request.client = String::new();
    NewEntries { requests: vec![wrong, search, help, again], live: ["2-1".to_owned()].into(), other_versions: 0 }
}
