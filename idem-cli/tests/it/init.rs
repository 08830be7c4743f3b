//! `idem init`.

use crate::sandbox::Sandbox;

#[test]
fn a_project_is_begun_and_the_linter_understands_it() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["init", "--database", "postgres"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
    insta::assert_snapshot!("init", ran.out);
    assert!(
        sandbox
            .read("idem.toml")
            .contains("database = \"postgres\"")
    );
    assert!(
        sandbox
            .read(".pre-commit-config.yaml")
            .contains("entry: idem lint")
    );
    assert_eq!(sandbox.run(&["lint"]).status, 3);
    assert_eq!(sandbox.run(&["generate", "sql", "--check"]).status, 0);
}

#[test]
fn what_is_there_is_kept_and_the_hook_is_shown() {
    let sandbox = Sandbox::new();
    sandbox.file("idem.toml", "# mine\n");
    sandbox.file(".pre-commit-config.yaml", "repos: []\n");
    sandbox.file("migrations/0001_processed_operations.sql", "-- mine\n");
    let ran = sandbox.run(&["init"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    insta::assert_snapshot!("init_kept", ran.out);
    assert_eq!(sandbox.read("idem.toml"), "# mine\n");
    assert_eq!(sandbox.read(".pre-commit-config.yaml"), "repos: []\n");
    assert_eq!(
        sandbox.read("migrations/0001_processed_operations.sql"),
        "-- mine\n"
    );
    sandbox.file(".pre-commit-config.yaml", "repos: # entry: idem lint\n");
    assert!(!sandbox.run(&["init"]).out.contains("Add this"));
}
