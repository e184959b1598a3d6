//! A small catalogue of tools, as agents have it: an intent that shares words with one tool must find that tool first.

use super::SearchedSources;

/// The tools: a name and what it does.
const TOOLS: [(&str, &str); 17] = [
    ("read_text", "Reads the content of a file on this machine."),
    ("write_text", "Writes a text to a file on this machine."),
    ("list_folder", "Lists the files and folders below a path."),
    ("run_query", "Runs an SQL query against the database."),
    ("add_row", "Adds a new row to a table of the database."),
    ("change_rows", "Changes rows of the database that exist already."),
    ("commit_changes", "Commits staged changes to the git repository with a message."),
    ("push_commits", "Pushes local commits to a remote repository."),
    ("working_tree_status", "Shows which files of the working tree are changed or staged."),
    ("http_get", "Sends a GET request that fetches data from an endpoint of an API."),
    ("http_post", "Sends a POST request with data to an endpoint of an API."),
    ("backup_files", "Makes a backup: reads, compresses and stores files in a safe place."),
    ("synchronize_data", "Synchronizes data of the local database with a remote API."),
    ("deploy_code", "Deploys changes of the code to production: commits and pushes them."),
    ("migrate_data", "Migrates data from one system to another, and validates it."),
    (
        "automate_operations",
        "Automates the operations of a team: deployment of code, migration, synchronization of systems.",
    ),
    ("manage_data", "Manages all data: backup, synchronization, migration and operations on the database."),
];

/// Intents, each with the tool that serves it.
const INTENTS: [(&str, &str); 31] = [
    ("read the content of a file", "read_text"),
    ("write text to a file on the machine", "write_text"),
    ("list all files in a folder", "list_folder"),
    ("run an SQL query on the database", "run_query"),
    ("add a new row to a database table", "add_row"),
    ("change existing rows in the database", "change_rows"),
    ("commit the staged changes to the repository", "commit_changes"),
    ("push my commits to the remote", "push_commits"),
    ("show the status of the working tree", "working_tree_status"),
    ("make a GET request to an API", "http_get"),
    ("send data with a POST request", "http_post"),
    ("make a backup of files in a safe place", "backup_files"),
    ("synchronize the local database with the remote API", "synchronize_data"),
    ("deploy the code to production", "deploy_code"),
    ("migrate data from the old system to the new one", "migrate_data"),
    ("push the changes that were committed", "push_commits"),
    ("add the fetched row to the table", "add_row"),
    ("I want to read all files of the project, compress them and store them safely", "backup_files"),
    ("create a backup before I change anything", "backup_files"),
    ("keep the data of our local database and that of the remote API synchronized", "synchronize_data"),
    ("synchronize customers between the API and our database every night", "synchronize_data"),
    ("commit and push all changes, then deploy them to production", "deploy_code"),
    ("release a feature by deploying the code", "deploy_code"),
    ("migrate everything from the legacy system to another and validate it", "migrate_data"),
    ("migrate the users to the new platform and validate them", "migrate_data"),
    ("which files are changed or staged", "working_tree_status"),
    ("fetch data from the endpoint", "http_get"),
    ("automate deployment and migration for the team", "automate_operations"),
    ("automate all operations, such as deployment of code and synchronization of systems", "automate_operations"),
    ("manage data: backup, migration, operations on a database", "manage_data"),
    ("one tool to manage all data with backup and synchronization", "manage_data"),
];

#[test]
fn nine_of_ten_intents_find_their_tool_first() {
    let tools: Vec<String> =
        TOOLS.iter().map(|(name, text)| format!("def {name}():\n    \"\"\"{text}\"\"\"\n")).collect();
    let searched = SearchedSources::of(&[("tools.py", &tools.join("\n"))]);
    let first = |intent: &str| searched.names(intent).into_iter().next().unwrap_or_default();
    let missed: Vec<_> = INTENTS
        .iter()
        .map(|(intent, tool)| (intent, tool, first(intent)))
        .filter(|(_, tool, first)| *first != format!("tools.{tool}"))
        .collect();
    assert!(missed.len() * 10 <= INTENTS.len(), "{missed:#?}");
}
