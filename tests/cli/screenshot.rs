//! `--screenshot`: the explorer's screen as a picture.

use std::fs;

use crate::program::{Project, command, outcome, run};

/// The text of a picture, one line per text element.
fn text(svg: &str) -> String {
    let pieces = svg.lines().filter_map(|line| line.strip_prefix("<text ")?.split_once('>'));
    pieces.map(|(_, text)| text.trim_end_matches("</text>").to_owned() + "\n").collect()
}

fn demo(options: &[&str]) -> String {
    outcome(&mut command(["--demo", "--theme", "dark", "--screenshot", "-"].iter().chain(options))).success()
}

#[test]
fn the_same_keys_give_the_same_picture() {
    let options = ["--size", "100x30", "--keys", "fstation kind:class<enter><enter>c"];
    let picture = demo(&options);
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    let text = text(&picture);
    for shown in ["class", "Station", "docs/tutorial.ipynb:20", "from", "import"] {
        assert!(text.lines().any(|line| line == shown), "{shown} is not in the picture:\n{text}");
    }
    assert_eq!(demo(&options), picture);
}

#[test]
fn several_sequences_of_keys_make_a_picture_that_moves() {
    let keys = ["--size", "100x30", "--keys", "", "--keys", "fstation kind:class<enter>", "--keys", "<enter>c"];
    let moving = demo(&keys);
    let frames: Vec<&str> = moving.split("<g class=\"frame").skip(1).collect();
    assert_eq!(frames.len(), 3);
    for (frame, at, shown) in
        [(frames[0], "0ms", "Symbols"), (frames[1], "2500ms", "Symbols"), (frames[2], "5000ms", "Calls")]
    {
        assert!(frame.contains(&format!("animation-delay:{at}")) && text(frame).contains(shown), "{frame}");
    }
    for key in [">f</text>", ">station kind:class</text>", ">Enter</text>", ">c</text>"] {
        assert!(moving.contains(key), "{key} is not named");
    }
    assert!(!moving.contains("<script") && !moving.contains("href") && !moving.contains("url("));
    assert_eq!(demo(&keys), moving);
}

#[test]
fn a_picture_follows_the_options() {
    let picture = demo(&["--symbol", "windvane.Station", "--min-frequency", "0.3", "--ascii", "--color", "never"]);
    let text = text(&picture);
    assert!(text.contains("threshold 30%"), "{text}");
    assert!(!text.contains(['▸', '…']), "{text}");
}

#[test]
fn keys_with_outside_effects_do_nothing() {
    let folder = Project::with("a.py", "def f(a): ...\nf(1)\n");
    let picture = folder.join("picture.svg");
    let arguments = ["--keys", "yow<enter><esc><esc>Mq<ctrl-z>?", "--screenshot"];
    let mut command = command(arguments);
    assert_eq!(outcome(command.arg(&picture).arg(folder.path()).current_dir(folder.path())).success(), "");
    assert!(text(&fs::read_to_string(&picture).unwrap()).contains("one row up"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_failure_leaves_no_picture() {
    let folder = Project::empty();
    let picture = folder.join("picture.svg");
    for (options, what) in [
        (["--demo", "--keys", "j<entre>"], "there is no key `entre`"),
        (["--demo", "--theme", "neon"], "there is no theme `neon`"),
        (["/nowhere/at/all", "--keys", "j"], "/nowhere/at/all"),
    ] {
        let message = outcome(command(options).arg("--screenshot").arg(&picture)).failure();
        assert!(message.contains(what), "{message}");
        assert!(!picture.exists());
    }
    for line in ["--demo --screenshot - --size 0x10", "--demo --size 80x24", "--export --demo --screenshot -"] {
        run(line).usage_error();
    }
}
