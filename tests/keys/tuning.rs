//! The tuning page: moving the setting along the curve, pins and bans, saving a profile.

use apidisc::{
    delivery::{Format, Packer, profile::Profile},
    strategy::Strategy,
    tokens::Tokenizer,
};
use apidisc_tui::tui::{
    geometry,
    input::{Mouse, MouseAction},
    jobs::Answer,
    layout,
    message::Message,
    model::{
        Overlay, Saving, StubPaneRequest,
        page::{ItemBody, PageItem, SourcePlace},
        tuning::{HeldOut, PlotScale, Tuning, TuningTab},
    },
};

use crate::support::{drive::Explorer, station};

/// The explorer on the demo with real figures of the engine, on the tuning page of a class.
fn on_a_class() -> Explorer {
    on_a_class_of(Explorer::new(120, 40))
}

fn on_a_class_of(mut explorer: Explorer) -> Explorer {
    explorer.open_demo();
    explorer.is_canned = false;
    explorer.model.settings.set_budget(150);
    explorer.keys("fstation kind:class<Enter>u");
    explorer
}

fn page(explorer: &Explorer) -> &Tuning {
    explorer.model.tuning.as_ref().expect("the page is open")
}

/// The headings, and the names below them.
fn rows(explorer: &Explorer) -> Vec<String> {
    let text = |item: &PageItem| match &item.body {
        ItemBody::Heading(text, _) => format!("# {text}"),
        ItemBody::Share(share) => share.name.clone(),
        ItemBody::Name(name) => name.name.clone(),
        ItemBody::Call(call) => call.place.clone(),
        _ => String::new(),
    };
    page(explorer).items.iter().map(text).filter(|text| !text.is_empty()).collect()
}

/// Moves to the first row that fulfils the condition.
fn to_row(explorer: &mut Explorer, is_match: impl Fn(&PageItem) -> bool) {
    explorer.keys("g");
    for _ in 0..300 {
        if page(explorer).selected().is_some_and(&is_match) {
            return;
        }
        explorer.keys("j");
    }
    panic!("no such row among\n{}", rows(explorer).join("\n"));
}

/// The stub that the engine delivers for the present settings.
fn delivered(explorer: &Explorer) -> String {
    let model = &explorer.model;
    let catalog = model.catalog.as_ref().unwrap();
    let tokenizer = Tokenizer::load(model.settings.encoding);
    let (scope, strategy) = (model.scope().unwrap(), model.settings.strategy);
    let packer = Packer::with_overrides(&catalog.index, scope, model.overrides.all(), &tokenizer).unwrap();
    packer.deliver(&strategy, Format::Stub).unwrap().text
}

fn stub(explorer: &Explorer) -> &str {
    assert!(explorer.model.preview.is_current());
    &explorer.model.preview.stub().unwrap().delivery.text
}

#[test]
fn the_arrows_move_the_setting_along_the_curve() {
    let mut explorer = on_a_class();
    assert_eq!(explorer.model.settings.strategy, Strategy::TokenBudget { max_tokens: 150 });
    let mut covered = explorer.model.preview.stub().unwrap().delivery.covered().total();
    for _ in 0..4 {
        explorer.keys("<Right>");
        let delivery = &explorer.model.preview.stub().unwrap().delivery;
        assert!(delivery.covered().total() >= covered);
        covered = delivery.covered().total();
        assert_eq!(stub(&explorer), delivered(&explorer));
    }
    assert_eq!(explorer.model.settings.strategy, Strategy::TokenBudget { max_tokens: 350 });
    explorer.keys("<Left>h");
    assert_eq!(explorer.model.settings.strategy, Strategy::TokenBudget { max_tokens: 250 });
    // A lower threshold shows more.
    explorer.keys("s<Right>");
    assert_eq!(explorer.model.settings.strategy, Strategy::Threshold { min_frequency: 0.15 });
    explorer.keys("s<Left>");
    assert_eq!(explorer.model.settings.strategy, Strategy::Coverage { target: 0.94 });
    explorer.keys("s<Right>");
    assert!(explorer.text().contains("everything is shown; s chooses another strategy"), "{}", explorer.text());
}

#[test]
fn the_curve_comes_from_the_engine_and_a_key_goes_to_its_knee() {
    let mut explorer = on_a_class();
    let curve = page(&explorer).curve.current().unwrap().clone();
    assert!(curve.complete);
    let knee = curve.knee().unwrap();
    explorer.keys("K");
    assert_eq!(explorer.model.settings.strategy, Strategy::TokenBudget { max_tokens: knee.tokens });
    assert_eq!(explorer.model.preview.stub().unwrap().delivery.covered().total(), knee.covered);
    // The curve does not depend on the present setting.
    assert_eq!(page(&explorer).curve.current(), Some(&curve));
}

#[test]
fn a_notch_lists_its_losses_and_the_calls_that_need_them() {
    let mut explorer = on_a_class();
    let (_, neighbours) = page(&explorer).neighbours.answer.clone().unwrap();
    let less = neighbours.less.unwrap();
    let lost = neighbours.here.unwrap().covered.calls - less.result.unwrap().covered.calls;
    assert!(lost > 0 && less.loses.calls - less.gains.calls == lost);
    assert_eq!(rows(&explorer)[0], "# ← less: budget 100");
    let catalog = explorer.model.catalog.clone().unwrap();
    to_row(&mut explorer, |item| matches!(item.shows, Some(SourcePlace::Call(_))));
    let place = less.loses.sites[0];
    let call = catalog.index.call(place);
    explorer.keys("<Enter>o");
    let opened = format!("opened {}:{}", catalog.index.file(call.file).path, call.line);
    assert_eq!(explorer.performed[explorer.performed.len() - 2..], [opened.clone(), opened]);
    // The step loses exactly the named number of calls.
    let before = explorer.model.preview.stub().unwrap().delivery.covered_calls;
    explorer.keys("<Left>");
    assert_eq!(explorer.model.preview.stub().unwrap().delivery.covered_calls, before - lost);
}

#[test]
fn pins_and_bans_change_the_page() {
    let mut explorer = on_a_class();
    let before = page(&explorer).curve.wanted;
    to_row(&mut explorer, |item| matches!(item.body, ItemBody::Share(_)));
    let ItemBody::Share(share) = page(&explorer).selected().unwrap().body.clone() else { panic!("a share") };
    explorer.keys("p");
    assert!(explorer.text().contains("is pinned"), "{}", explorer.text());
    // The class may show an attribute of the same name, on a line of its own with a smaller indent.
    let (alone, among_others) = (format!("        {}:", share.name), format!(" {}=", share.name));
    let is_parameter =
        |line: &str| line.starts_with(&alone) || line.contains("__init__(") && line.contains(&among_others);
    assert!(stub(&explorer).lines().any(is_parameter), "{}", stub(&explorer));
    assert_eq!(stub(&explorer), delivered(&explorer));
    assert_ne!(page(&explorer).curve.wanted, before, "another curve");
    assert!(rows(&explorer).contains(&"# Pinned and banned".to_owned()));
    // The pin is removed in the list of pins.
    let is_it = |item: &PageItem| matches!(&item.body, ItemBody::Share(other) if other.note.starts_with("pinned"));
    to_row(&mut explorer, is_it);
    explorer.keys("b");
    assert!(!stub(&explorer).lines().any(is_parameter), "{}", stub(&explorer));
    assert_eq!(stub(&explorer), delivered(&explorer));
    to_row(&mut explorer, |item| matches!(&item.body, ItemBody::Share(other) if other.note.starts_with("banned")));
    explorer.keys("b");
    assert_eq!(explorer.model.overrides.revision(), 0);
    assert_eq!(page(&explorer).curve.wanted, before);
}

#[test]
fn the_next_row_is_selected_after_a_pin() {
    let mut explorer = on_a_class();
    to_row(&mut explorer, |item| matches!(item.body, ItemBody::Share(_)));
    let here = page(&explorer).cursor.selected;
    explorer.keys("p");
    let pinned = rows(&explorer).iter().filter(|row| *row == "# Pinned and banned").count();
    assert_eq!((pinned, page(&explorer).cursor.selected.abs_diff(here) <= 2), (1, true), "{:?}", rows(&explorer));
    // The same in the list of pins: the next row is selected, or the last one.
    explorer.keys("pG");
    explorer.keys("p");
    assert!(page(&explorer).selected().is_some());
}

#[test]
fn a_press_on_the_curve_moves_the_setting_there() {
    let mut explorer = on_a_class();
    let plot = geometry::tuning(explorer.model.size).plot;
    let mut press = |action, column| {
        explorer.send(Message::Mouse(Mouse { action, column, row: plot.y + 3 }));
        explorer.model.settings.strategy
    };
    let Strategy::TokenBudget { max_tokens: left } = press(MouseAction::Press, plot.x + 12) else { panic!("a budget") };
    let Strategy::TokenBudget { max_tokens: right } = press(MouseAction::Drag, plot.right() - 8) else {
        panic!("a budget")
    };
    assert!(150 != left && left < right, "{left} {right}");
    // The point is drawn below the mouse.
    let area = geometry::tuning(explorer.model.size).plot;
    let curve = page(&explorer).curve.current().unwrap();
    let scale = PlotScale::of(curve, explorer.model.here(), area).unwrap();
    assert_eq!(scale.cell((right, 0.0)).0, plot.right() - 8);
    // For thresholds, the setting moves to the nearest point of the curve.
    explorer.keys("s");
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: plot.right() - 4, row: plot.y + 3 }));
    let low = explorer.model.settings.strategy;
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: plot.x + 20, row: plot.y + 3 }));
    let (Strategy::Threshold { min_frequency: low }, Strategy::Threshold { min_frequency: high }) =
        (low, explorer.model.settings.strategy)
    else {
        panic!("thresholds")
    };
    assert!(low < high, "{low} {high}");
}

#[test]
fn pages_open_from_the_tuning_page_and_lead_back_to_it() {
    let mut explorer = on_a_class();
    to_row(&mut explorer, |item| matches!(item.body, ItemBody::Share(_)));
    let scope = explorer.model.scope();
    explorer.keys("<Enter>");
    assert!(explorer.model.tuning.is_none() && explorer.model.page.is_some());
    assert!(explorer.performed.contains(&"measured no longer".to_owned()));
    explorer.keys("[");
    assert!(explorer.model.tuning.is_some() && explorer.model.page.is_none());
    assert_eq!(explorer.model.scope(), scope);
    explorer.keys("<Esc>");
    assert!(explorer.model.tuning.is_none());
}

#[test]
fn the_tuning_page_of_a_module_is_restored_on_the_way_back() {
    let mut explorer = on_a_class();
    explorer.keys("<Esc><BackTab>u");
    let scope = explorer.model.scope();
    to_row(&mut explorer, |item| item.link.is_some());
    explorer.keys("<Enter>");
    assert_ne!(explorer.model.scope(), scope);
    explorer.keys("[");
    assert_eq!(explorer.model.scope(), scope);
    assert!(explorer.model.tuning.is_some());
}

#[test]
fn held_out_coverage_equals_that_of_evaluate() {
    let mut explorer = Explorer::new(120, 40);
    explorer.holds_out = true;
    let mut explorer = on_a_class_of(explorer);
    let Some(HeldOut::Done(Ok(figures))) = page(&explorer).held_out.current() else { panic!("it is measured") };
    let (catalog, cut) = (explorer.model.catalog.clone().unwrap(), explorer.model.stub_request().unwrap());
    let evaluation = apidisc::delivery::evaluate::evaluate(&catalog.index, &cut, &[cut.strategy], &mut |_, _| {
        apidisc::control::Control::Continue
    });
    assert_eq!(evaluation.unwrap().unwrap().strategies[0].result, Ok(*figures));
    let held_out = figures.held_out;
    let share = apidisc::usage::percent(held_out.covered.calls, held_out.known.calls).unwrap();
    assert!(explorer.text().contains(&format!("held out  {share}%")), "{}", explorer.text());
    // While another setting is measured, the old figure is not shown.
    explorer.is_slow = true;
    explorer.keys("<Right>");
    assert!(explorer.text().contains("held out  measuring…"), "{}", explorer.text());
    let ticket = page(&explorer).held_out.ticket;
    explorer.send(Message::Answered(Answer::HeldOut { ticket, held_out: HeldOut::Measuring(5, 20) }));
    assert!(explorer.text().contains("held out  measuring… 25%"), "{}", explorer.text());
}

#[test]
fn answers_to_older_jobs_are_dropped() {
    let mut explorer = on_a_class();
    explorer.is_slow = true;
    explorer.keys("<Right><Left><Right>");
    assert!(page(&explorer).neighbours.current().is_none());
    explorer.settle();
    let (request, neighbours) = page(&explorer).neighbours.answer.clone().unwrap();
    assert_eq!(Some(StubPaneRequest::Stub(request)), explorer.model.preview.wanted);
    assert_eq!(neighbours.less.unwrap().strategy, Strategy::TokenBudget { max_tokens: 150 });
}

#[test]
fn another_index_is_measured_again() {
    let mut explorer = on_a_class();
    let before = page(&explorer).curve.wanted.unwrap().generation;
    explorer.index(station().build(true));
    assert!(page(&explorer).curve.wanted.unwrap().generation > before);
    assert!(page(&explorer).curve.current().is_some());
}

#[test]
fn a_step_up_leads_from_a_budget_that_is_too_small_to_the_smallest() {
    let mut explorer = on_a_class();
    explorer.model.settings.set_budget(10);
    explorer.keys("<Left>");
    assert!(explorer.text().contains("too small: the least is"), "{}", explorer.text());
    explorer.keys("<Right>");
    let delivery = &explorer.model.preview.stub().unwrap().delivery;
    assert_eq!(Some(delivery.tokens), delivery.max_tokens);
}

#[test]
fn a_saved_profile_delivers_the_same_stub() {
    let mut explorer = on_a_class();
    to_row(&mut explorer, |item| matches!(item.body, ItemBody::Share(_)));
    explorer.keys("pP<C-u>agents<Enter>");
    let saved = explorer.performed.last().unwrap().strip_prefix("saved agents\n").expect("it is saved").to_owned();
    let profile = Profile::parse(&saved).unwrap();
    let catalog = explorer.model.catalog.clone().unwrap();
    assert_eq!(profile.request.deliver(&catalog.index).unwrap().text, stub(&explorer));
    let screen = explorer.text();
    assert!(screen.contains("saved as .apidisc/agents.toml"), "{screen}");
    assert!(screen.contains("apidisc-tui --export ~/src/station --profile agents"), "{screen}");
    explorer.keys("<Enter>");
    assert!(explorer.model.overlay.is_none());
}

#[test]
fn a_profile_is_replaced_only_after_confirmation_and_names_stay_in_the_folder() {
    let mut explorer = on_a_class();
    explorer.keys("P<C-u>there<Enter>");
    assert!(explorer.performed.is_empty());
    assert!(explorer.text().contains(".apidisc/there.toml is there already"), "{}", explorer.text());
    explorer.keys("2<Backspace><Enter>");
    assert!(explorer.performed.is_empty(), "asked again");
    explorer.keys("<Enter>");
    assert!(explorer.performed[0].starts_with("saved there\n"));
    for name in ["", "../x", "a/b", "-x", ".x", "x.toml", "a b"] {
        explorer.keys("<Esc>P<C-u>").keys(name).keys("<Enter>");
        let Some(Overlay::Save(prompt)) = &explorer.model.overlay else { panic!("it is open") };
        assert!(matches!(prompt.state, Saving::Refused(_)), "{name}");
    }
    assert_eq!(explorer.performed.len(), 1);
}

#[test]
fn the_mouse_works_on_the_tuning_page() {
    let mut explorer = on_a_class();
    let area = geometry::tuning(explorer.model.size);
    let mut mouse = |action, column, row| {
        explorer.send(Message::Mouse(Mouse { action, column, row }));
        explorer.model.settings.strategy
    };
    let up = mouse(MouseAction::WheelUp, area.plot.x + 3, area.plot.y + 3);
    assert_eq!(up, Strategy::TokenBudget { max_tokens: 200 });
    mouse(MouseAction::WheelDown, area.plot.x + 3, area.plot.y + 3);
    let stub = area.stub;
    explorer.send(Message::Mouse(Mouse { action: MouseAction::WheelDown, column: stub.x + 3, row: stub.y + 3 }));
    assert_eq!(explorer.model.settings.strategy, Strategy::TokenBudget { max_tokens: 150 });
    let (_, tab) = layout::tuning_tabs(&explorer.model)[1];
    explorer.send(Message::Mouse(Mouse { action: MouseAction::Press, column: tab.x + 1, row: tab.y }));
    assert_eq!(page(&explorer).tab, TuningTab::Comparison);
    explorer.keys("<Tab>");
    assert_eq!(page(&explorer).tab, TuningTab::Curve);
}
