//! `report`: one page of HTML.

use std::{fs, process::Command};

use crate::{
    program::{Project, run, run_on},
    tools,
};

#[test]
fn the_page_has_the_start_page_and_every_symbol_and_loads_nothing() {
    let page = run("report --demo --no-cache").success();
    for part in [
        "<h1>The demo project</h1>",
        "<h2>First example</h2>",
        "<h2>Concepts</h2>",
        "<code>windvane.Station</code> <small>",
        "<meter max=100 value=88></meter><td>88%",
        "default-src 'none'",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for loading in ["http-equiv=\"refresh\"", "<link", "<img", " src=", "@import", "url("] {
        assert!(!page.contains(loading), "{loading}");
    }
    check_links(&page);
    assert_eq!(page, run("report --demo --no-cache").success());
}

/// Links lead to articles that are there, once.
fn check_links(page: &str) {
    for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_eq!(page.matches(&format!("id=\"{link}\"")).count(), 1, "{link}");
    }
}

#[test]
fn the_most_used_symbols_are_kept_and_the_others_are_counted() {
    let page = run("report --demo --no-cache --max-symbols 3").success();
    assert_eq!(page.matches("<article ").count(), 3);
    assert!(page.contains(" less used ones left out"));
    check_links(&page);
}

#[test]
fn hostile_text_is_no_markup() {
    let text = "def go(a='</code><script>alert(1)</script>'):\n    '''<img src=x onerror=alert(1)> \u{202e}'''\n\n\
                go('\"><b>')\n";
    let project = Project::with("kit.py", text);
    let page = run_on("report --no-cache", project.path()).success();
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"), "{page}");
    assert!(!page.contains("<img") && !page.contains("<b>") && !page.contains('\u{202e}'));
    assert_eq!(page.matches("<script>").count(), 1);
}

/// What a browser shows after a script has run on the page.
fn in_browser(page: &str, script: &str) -> String {
    let project = Project::with("page.html", page);
    let path = project.join("page.html");
    fs::write(&path, page.replace("</script>\n</html>", &format!("{script}\n</script>\n</html>"))).unwrap();
    // A browser that does not end must not hold the tests.
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", "90", "chromium"]);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=2000"]);
    command.arg(format!("--user-data-dir={}", project.join("profile").display()));
    let output = command.arg(format!("file://{}", path.display())).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_browser_finds_symbols_by_the_keyboard() {
    if tools::is_missing(&tools::CHROMIUM) {
        return;
    }
    let page = run("report --demo --no-cache").success();
    let script = "
        const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
        press('/');
        const focused = document.activeElement === query;
        query.value = 'windvane.stat';
        query.dispatchEvent(new Event('input'));
        const found = shown().map(link => link.firstElementChild.textContent);
        press('ArrowDown');
        const first = document.activeElement === shown()[0];
        press('ArrowUp');
        press('Escape');
        document.title = [focused, found[0], found.length < rows.length, first, shown().length === rows.length].join();";
    let shown = in_browser(&page, script);
    let title = shown.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
    assert_eq!(title, Some("true,Station,true,true,true"));
}
