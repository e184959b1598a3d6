#[path = "../tests/support/mod.rs"]
mod support;
fn main() {
    let index = support::station().build(true);
    let r = apidisc::tui::run(apidisc::tui::Options {
        content: apidisc::tui::Content::Index(std::sync::Arc::new(index)),
        title: "station".into(),
        argument: "station".into(),
        strategy: Default::default(),
        encoding: Default::default(),
        theme: std::env::args().nth(1),
        module: None,
        symbol: None,
    });
    if let Err(e) = r {
        eprintln!("{e:#}");
        std::process::exit(1)
    }
}
