//! Screens of API documents.

use crate::support::{
    ads::{explorer, in_document},
    dump,
};

#[test]
fn a_document_and_its_operations() {
    for (columns, rows) in [(120, 40), (200, 60), (80, 24), (48, 14)] {
        let explorer = in_document(columns, rows);
        insta::assert_snapshot!(format!("operation_{columns}x{rows}"), dump::styled(&explorer.draw()));
    }
    let mut modules = explorer(120, 40);
    modules.keys("G");
    insta::assert_snapshot!("document_120x40", dump::styled(&modules.draw()));
}

#[test]
fn a_schema() {
    let mut explorer = in_document(120, 40);
    explorer.keys("jjjl");
    insta::assert_snapshot!("schema_120x40", dump::styled(&explorer.draw()));
}

#[test]
fn pages_of_parts() {
    for (columns, rows) in [(120, 40), (80, 24)] {
        let mut explorer = in_document(columns, rows);
        explorer.keys("<Enter>");
        insta::assert_snapshot!(format!("page_operation_{columns}x{rows}"), dump::styled(&explorer.draw()));
        explorer.keys("<Esc>jjj<Enter>");
        insta::assert_snapshot!(format!("page_schema_{columns}x{rows}"), dump::styled(&explorer.draw()));
    }
}
