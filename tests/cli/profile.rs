//! Profiles: they are replayed to the byte and checked, and mistakes in them are reported clearly.

use crate::program::{Project, run_on};

const KIT: &str = "\
class Client:
    def __init__(self, url, *, timeout=30, retries=3, proxy=None): ...
    def get(self, path, *, headers=None, cache=True): ...


def connect(url, timeout=30): ...
";
const USE: &str = "\
from kit import Client, connect

for url in ['a', 'b']:
    Client(url, timeout=1).get('x')
    Client(url, timeout=2).get('y', headers={})
    Client(url, proxy='p').get('z')
    connect(url)
";
const PROFILE: &str = "\
module = \"kit\"
strategy = \"coverage\"
target = 0.7
pins = [\"kit.Client(retries)\"]
bans = [
    \"kit.connect\",
]
format = \"markdown\"

[weights]
tests = 0

[check]
min_coverage = 0.6
max_tokens = 150
";

fn project() -> Project {
    Project::with("kit.py", KIT).and("use.py", USE).and("tests/test_kit.py", "from kit import connect\nconnect(1, 2)\n")
}

fn with(profile: &str) -> Project {
    project().and(".apidisc/agents.toml", profile)
}

#[test]
fn a_profile_gives_the_bytes_of_its_options() {
    let project = with(PROFILE);
    let options = "--export --module kit --target 0.7 --pin kit.Client(retries) --ban kit.connect --weights tests=0 \
                   --format markdown";
    let stub = run_on(options, project.path()).success();
    assert!(stub.contains("retries=3") && !stub.contains("connect") && stub.contains("(without tests)"), "{stub}");
    assert_eq!(run_on("--export --profile agents", project.path()).success(), stub);
    let by_path = format!("--export --profile {}", project.join(".apidisc/agents.toml").display());
    assert_eq!(run_on(&by_path, project.path()).success(), stub);
}

#[test]
fn a_check_prints_the_present_state() {
    let line = run_on("--check --profile agents", with(PROFILE).path()).success();
    assert!(line.starts_with("profile agents: ") && line.ends_with("% of 7 calls\n"), "{line}");
}

#[test]
fn coverage_that_has_not_changed_is_said_in_the_same_digits() {
    // 2 of 3 calls are .6666…: a profile that is saved now says .666, and a check 66.6%.
    let project = Project::with("kit.py", "def send(a, b=1): ...\n")
        .and("use.py", "from kit import send\n\nsend(1)\nsend(2)\nsend(1, b=2)\n");
    let profile = "symbol = \"send\"\nstrategy = \"exhaustive\"\nbans = [\"kit.send(b)\"]\n[check]\nmin_coverage = 0.9\n[saved]\n\
                   tokens = 20\ncoverage = 0.666\n[saved.symbols]\n";
    let project = project.and(".apidisc/agents.toml", profile);
    let message = run_on("--check --profile agents", project.path()).failure();
    assert!(message.contains("covers 66.6% of 3 calls (66.6% when it was saved)"), "{message}");
}

#[test]
fn a_check_fails_if_the_coverage_has_dropped() {
    let project = with(PROFILE).and("more.py", "from kit import connect\n\nconnect(1)\n".repeat(9));
    let message = run_on("--check --profile agents", project.path()).failure();
    assert!(message.contains("less than the 60.0% of [check]"), "{message}");
    assert!(message.starts_with("profile agents: the stub covers 37.5% of 16 calls"), "{message}");
}

#[test]
fn a_check_fails_if_the_stub_exceeds_its_budget() {
    let saved = "symbol = \"Client\"\nmax_tokens = 80\n[saved]\ntokens = 70\n[saved.symbols]\n\
                 \"kit.Client\" = \"0\"\n\"kit.Server\" = \"1\"\n";
    let parameters: Vec<String> = (0..40).map(|n| format!("a_required_parameter_{n}")).collect();
    let grown = format!("class Client:\n    def __init__(self, {}): ...\n", parameters.join(", "));
    let project = with(saved).and("kit.py", grown);
    let message = run_on("--check --profile agents", project.path()).failure();
    assert!(message.starts_with("profile agents: kit.Client needs "), "{message}");
    assert!(message.contains("in its shortest form now, more than its 80"), "{message}");
    assert!(message.ends_with("; changed since it was saved: kit.Client; gone: kit.Server"), "{message}");
}

#[test]
fn mistakes_are_reported_with_file_and_line() {
    for (profile, message) in [
        ("module = 3\n", "line 1: invalid type: integer `3`, expected a string"),
        (
            "\nbudget = 3\n",
            "line 2: unknown field `budget`, expected one of `package`, `module`, `symbol`, `intent`, `strategy`",
        ),
        ("strategy = \"best\"\n", "line 1: no strategy is called `best`; there are token-budget, threshold, coverage"),
        ("target = 95\n", "line 1: 95 is no share between 0 and 1; for 95% write 0.95"),
        ("target = 0.5\nmax_tokens = 9\n", "one number a strategy"),
        ("strategy = \"coverage\"\nmax_tokens = 9\n", "line 2: max_tokens belongs to the strategy token-budget"),
        ("[weights]\nsrc = 1\ntests = 11\n", "line 3: 11 is too much"),
        (
            "pins = [\n    \"kit.Clint\",\n]\n",
            "line 2: kit.Clint cannot be pinned: no definition is called `kit.Clint`",
        ),
        ("bans = [\"Client(url)\"]\n", "line 1: Client(url) cannot be banned: it is required"),
        ("module = \"kitt\"\n", "agents.toml: no module is called `kitt`"),
    ] {
        let said = run_on("--export --profile agents", with(profile).path()).failure();
        assert!(said.contains(".apidisc/agents.toml: ") && said.contains(message), "{said}");
    }
}

#[test]
fn a_missing_profile_is_answered_with_the_existing_ones() {
    let message = run_on("--export --profile agnets", with("").path()).failure();
    assert!(message.ends_with("agnets.toml; beside it are agents"), "{message}");
    let message = run_on("--export --profile agents", project().path()).failure();
    assert!(message.ends_with("; the explorer saves profiles"), "{message}");
}

#[test]
fn options_of_a_profile_cannot_be_given_beside_it() {
    for line in [
        "--export --profile agents --max-tokens 70",
        "--export --profile agents --format json",
        "--export --profile agents --pin kit.Client",
        "--check",
        "--export --check --profile agents",
        "--check --profile agents --format json",
        "--export --weights tests=12",
        "--export --format table",
    ] {
        run_on(line, with(PROFILE).path()).usage_error();
    }
}
