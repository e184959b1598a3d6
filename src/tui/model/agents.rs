//! The page of agents: the sessions of agents with their requests, newest first, and the answer to the selected one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value};

use super::{Catalog, Cursor, Topic};
use crate::requests::{LoggedRequest, NewEntries, Request};

/// The most requests that the page holds. Of more, the newest are kept.
const MAX_REQUESTS: usize = 5_000;
/// The arguments that name the subject of a request. The line of a request begins with their values.
const SUBJECTS: &[&str] = &[
    "query",
    "queries",
    "intent",
    "module_name",
    "target_symbol",
    "hash",
    "symbols",
    "hashes",
    "symbol",
    "names",
    "module",
    "file_path",
    "task",
];

/// The state of the page.
#[derive(Debug, Default)]
pub struct AgentsPage {
    /// The requests, in the order in which they were read.
    requests: VecDeque<LoggedRequest>,
    /// The number of requests that were dropped before the first of `requests`.
    dropped: usize,
    /// The servers that run.
    live: BTreeSet<String>,
    /// The number of log files in a format of another version, which are not shown.
    pub other_versions: usize,
    /// The present time in milliseconds since 1970; 0 until the log has been read.
    pub now: u64,
    /// The sessions, the one with the newest request first.
    pub sessions: Vec<AgentSession>,
    /// The rows.
    pub rows: Vec<AgentRow>,
    /// The requests whose delivered symbols are listed below them.
    open: BTreeSet<RequestNumber>,
    /// The selection and the scroll offset of the rows.
    pub cursor: Cursor,
    /// The first visible line of the answer.
    pub first_line: usize,
    /// True once the user has moved the selection. Until then the newest request is selected.
    is_chosen: bool,
}

/// A number that names a request on the page: its position among all requests that were read.
pub type RequestNumber = usize;

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgentRow {
    /// A session, by its position in the list of sessions.
    Session(usize),
    /// A request.
    Request(RequestNumber),
    /// A symbol that the answer to a request describes, by its position in [`Request::delivered`].
    Delivered(RequestNumber, usize),
}

/// A session in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSession {
    /// The server, and the handle of the session on it.
    pub key: (String, String),
    /// The client of the newest request.
    pub client: String,
    /// True if the server runs.
    pub is_live: bool,
    /// The time of the newest request in milliseconds since 1970.
    pub last: u64,
    /// The tokens of all answers.
    pub tokens: usize,
    /// The tokens that were saved because the agent already held symbols of the answers.
    pub spared: usize,
    /// The requests, the newest first.
    pub requests: Vec<RequestNumber>,
}

/// The requests for one tool in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSum {
    /// The name of the tool.
    pub name: String,
    /// The tokens of its answers.
    pub tokens: usize,
    /// The number of its requests.
    pub requests: usize,
}

impl AgentsPage {
    /// Adds the new entries of the log.
    pub(in crate::tui) fn add(&mut self, news: NewEntries, now: u64) {
        self.requests.extend(news.requests);
        while self.requests.len() > MAX_REQUESTS {
            self.requests.pop_front();
            self.dropped += 1;
        }
        (self.live, self.other_versions, self.now) = (news.live, news.other_versions, now);
        self.make();
    }

    /// A request by its number.
    pub fn request(&self, number: RequestNumber) -> Option<&Request> {
        self.requests.get(number.checked_sub(self.dropped)?).map(|logged| &logged.request)
    }

    /// The selected row.
    pub fn selected(&self) -> Option<AgentRow> {
        self.rows.get(self.cursor.selected).copied()
    }

    /// The request of the selected row; `None` on the row of a session.
    pub fn selected_request(&self) -> Option<&Request> {
        match self.selected()? {
            AgentRow::Session(_) => None,
            AgentRow::Request(number) | AgentRow::Delivered(number, _) => self.request(number),
        }
    }

    /// True if the symbols of a request are listed below it.
    pub fn is_open(&self, number: RequestNumber) -> bool {
        self.open.contains(&number)
    }

    /// Shows or hides the symbols of a request below it.
    pub(in crate::tui) fn set_open(&mut self, number: RequestNumber, is_open: bool) {
        let has_symbols = self.request(number).is_some_and(|request| !request.delivered.is_empty());
        if is_open && has_symbols {
            self.open.insert(number);
        } else {
            self.open.remove(&number);
            if let Some(AgentRow::Delivered(..)) = self.selected() {
                self.select(AgentRow::Request(number));
            }
        }
        self.make();
    }

    /// Moves the selection.
    pub(in crate::tui) fn step(&mut self, rows: isize) {
        let before = self.selected();
        self.cursor.step(rows, self.rows.len());
        self.moved(before);
    }

    /// Selects a row, if it is there.
    pub(in crate::tui) fn select(&mut self, row: AgentRow) {
        if let Some(at) = self.rows.iter().position(|other| *other == row) {
            let before = self.selected();
            self.cursor.select(at);
            self.moved(before);
        }
    }

    /// Scrolls to the beginning of the answer, unless the selected row belongs to the same request as `before`.
    fn moved(&mut self, before: Option<AgentRow>) {
        self.is_chosen = true;
        let request = |row: Option<AgentRow>| match row {
            Some(AgentRow::Request(number) | AgentRow::Delivered(number, _)) => Some(number),
            _ => None,
        };
        if request(before) != request(self.selected()) {
            self.first_line = 0;
        }
    }

    /// Builds the sessions and the rows from the requests. The selected row stays selected, and stays at its place on
    /// the screen unless the list begins at its first row.
    fn make(&mut self) {
        let key_of = |row: AgentRow, sessions: &[AgentSession]| match row {
            AgentRow::Session(at) => sessions.get(at).map(|session| session.key.clone()),
            _ => None,
        };
        let before = self.selected().map(|row| (row, key_of(row, &self.sessions)));
        self.open.retain(|number| *number >= self.dropped);
        self.sessions = self.sessions();
        self.rows.clear();
        for (at, session) in self.sessions.iter().enumerate() {
            self.rows.push(AgentRow::Session(at));
            for number in &session.requests {
                self.rows.push(AgentRow::Request(*number));
                let delivered = self.request(*number).filter(|_| self.open.contains(number));
                let symbols = 0..delivered.map_or(0, |request| request.delivered.len());
                self.rows.extend(symbols.map(|symbol| AgentRow::Delivered(*number, symbol)));
            }
        }
        let Some((row, key)) = before.filter(|_| self.is_chosen) else {
            self.cursor.select(1);
            return;
        };
        let is_same = |other: &AgentRow| match &key {
            Some(_) => key_of(*other, &self.sessions) == key,
            None => *other == row,
        };
        match self.rows.iter().position(is_same) {
            Some(at) if self.cursor.offset == 0 || !self.cursor.is_following() => self.cursor.selected = at,
            Some(at) => self.cursor.follow(at),
            None => {}
        }
    }

    /// The requests and tokens of a session by tool, most tokens first.
    pub fn by_tool(&self, session: &AgentSession) -> Vec<ToolSum> {
        let mut tools: BTreeMap<&str, ToolSum> = BTreeMap::new();
        for request in session.requests.iter().filter_map(|number| self.request(*number)) {
            let tool = tools.entry(&request.tool).or_insert_with(|| ToolSum {
                name: request.tool.clone(),
                tokens: 0,
                requests: 0,
            });
            tool.tokens = tool.tokens.saturating_add(request.tokens);
            tool.requests += 1;
        }
        let mut tools: Vec<ToolSum> = tools.into_values().collect();
        tools.sort_by_key(|tool| std::cmp::Reverse(tool.tokens));
        tools
    }

    fn sessions(&self) -> Vec<AgentSession> {
        let mut sessions: BTreeMap<(&str, &str), AgentSession> = BTreeMap::new();
        for (at, LoggedRequest { server, request }) in self.requests.iter().enumerate() {
            let session = sessions.entry((server, &request.session)).or_insert_with(|| AgentSession {
                key: (server.clone(), request.session.clone()),
                client: String::new(),
                is_live: self.live.contains(server),
                last: 0,
                tokens: 0,
                spared: 0,
                requests: Vec::new(),
            });
            session.requests.push(self.dropped + at);
            session.tokens = session.tokens.saturating_add(request.tokens);
            session.spared = session.spared.saturating_add(request.spared);
            if request.time >= session.last {
                session.last = request.time;
                session.client.clone_from(&request.client);
            }
        }
        let mut sessions: Vec<AgentSession> = sessions.into_values().collect();
        for session in &mut sessions {
            session.requests.sort_by_key(|number| {
                let time = self.request(*number).map_or(0, |request| request.time);
                std::cmp::Reverse((time, *number))
            });
        }
        sessions.sort_by(|a, b| b.last.cmp(&a.last).then_with(|| a.key.cmp(&b.key)));
        sessions
    }
}

/// The topic of a delivered name in the present index.
pub fn topic_named(catalog: &Catalog, name: &str) -> Option<Topic> {
    let definition = catalog.index.definition_of(name).filter(|id| catalog.is_reachable(*id));
    definition.map(Topic::Definition).or_else(|| catalog.module_named(name).map(Topic::Module))
}

/// The arguments of a request on one line: its subject, then the other arguments with their names.
pub fn request_in_words(request: &Request) -> String {
    arguments_in_words(&request.arguments)
}

/// The arguments of a tool on one line: their subject, then the other arguments with their names.
pub fn arguments_in_words(arguments: &Map<String, Value>) -> String {
    let named = |name: &&String| !SUBJECTS.contains(&name.as_str()) && *name != "session";
    let subjects = SUBJECTS.iter().filter_map(|name| arguments.get(*name)).map(value_in_words);
    let others = arguments.keys().filter(named).map(|name| format!("{name}={}", value_in_words(&arguments[name])));
    subjects.chain(others).collect::<Vec<_>>().join("  ")
}

/// The value of an argument in words: a text without quotes, a list with commas.
pub fn value_in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(value_in_words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// The time between `time` and `now`, in at most six cells.
pub fn age(now: u64, time: u64) -> String {
    let seconds = now.saturating_sub(time) / 1_000;
    match seconds {
        0..60 => "now".to_owned(),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// A duration in at most seven cells.
pub fn duration(micros: u64) -> String {
    match micros {
        0..1_000 => "<1 ms".to_owned(),
        1_000..1_000_000 => format!("{} ms", micros / 1_000),
        1_000_000..100_000_000 => format!("{}.{} s", micros / 1_000_000, micros % 1_000_000 / 100_000),
        _ => format!("{} s", micros / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn questions_begin_with_what_they_are_about() {
        let arguments = json!({"include_source": true, "hashes": ["a.B", "c"], "session": "s1", "max_tokens": 300});
        let request = Request { arguments: arguments.as_object().unwrap().clone(), ..Request::default() };
        assert_eq!(request_in_words(&request), "a.B, c  include_source=true  max_tokens=300");
    }

    #[test]
    fn times_are_short() {
        let ages = [0, 59_999, 60_000, 3_600_000, 200_000_000].map(|past| age(1_000_000_000, 1_000_000_000 - past));
        assert_eq!(ages, ["now", "now", "1 min", "1 h", "2 d"]);
        assert_eq!(age(5, 9), "now", "a clock that was set back");
        assert_eq!([999, 12_900, 1_290_000, 3_000_000_000].map(duration), ["<1 ms", "12 ms", "1.2 s", "3000 s"]);
    }
}
