//! Every step of a write fails once, and what is left is whole.

use std::{cell::RefCell, time::SystemTime};

use super::*;

const NEW: &[u8] = &[b'n'; 200_000];

fn fill(out: &mut dyn Write) -> io::Result<()> {
    NEW.chunks(1000).try_for_each(|part| out.write_all(part))
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn whichever_step_fails_the_file_is_whole_and_no_temporary_file_is_left() {
    let errors =
        [io::ErrorKind::StorageFull.into(), io::Error::from_raw_os_error(5), ErrorKind::PermissionDenied.into()];
    for (number, error) in errors.iter().enumerate() {
        let mut failed = Vec::new();
        for failing in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("out");
            fs::write(&path, "old").unwrap();
            let steps = RefCell::new(Vec::new());
            let outcome = replace_in_steps(&path, fill, &|step| {
                steps.borrow_mut().push(step);
                if steps.borrow().len() <= failing {
                    return Ok(());
                }
                Err(error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error))
            });
            let Err(problem) = outcome else {
                assert_eq!(fs::read(&path).unwrap(), NEW);
                break;
            };
            let step = *steps.borrow().last().unwrap();
            let is_replaced = step == Step::SyncFolder;
            assert_eq!(fs::read(&path).unwrap(), if is_replaced { NEW } else { b"old" }, "{number}, {step:?}");
            assert_eq!(names(folder.path()), ["out"], "{number}, {step:?}");
            let line = problem.to_string();
            assert!(line.starts_with(&format!("cannot write {}: ", path.display())) && line.lines().count() == 1);
            assert!(line.ends_with(remedy(error)), "{line}");
            failed.push(step);
        }
        let writes = failed.iter().filter(|step| **step == Step::Write).count();
        assert!(writes > 1, "the content is written in {writes} parts");
        failed.dedup();
        let all = [Step::Create, Step::Write, Step::SetMode, Step::Sync, Step::Rename, Step::SyncFolder];
        assert_eq!(failed, all);
    }
}

#[test]
fn a_failed_source_of_the_content_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.yaml");
    fs::write(&path, "old").unwrap();
    let error = replace(&path, |out| {
        out.write_all(b"half of the new")?;
        out.flush()?;
        Err(ErrorKind::StorageFull.into())
    });
    assert!(error.unwrap_err().to_string().ends_with("free some space, or choose another disk"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names(folder.path()), ["out.yaml"]);
}

#[test]
fn a_missing_folder_and_a_folder_are_clear_errors() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &Path| replace(path, |_| Ok(())).unwrap_err().to_string();
    assert!(message(&folder.path().join("none/out")).ends_with("create its folder first"));
    assert!(message(folder.path()).ends_with("name a file in it"));
}

#[test]
fn only_old_temporary_files_of_this_program_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let stray = [".apidisc-abc123.tmp"];
    let kept = [".apidisc-abc1234.tmp", ".apidisc-a/c123.tmp", ".apidisc-new123.tmp", "apidisc-abc123.tmp", "x.tmp"];
    let kept: Vec<&str> = kept.into_iter().filter(|name| !name.contains('/')).collect();
    for name in stray.iter().chain(&kept) {
        let file = File::create(folder.path().join(name)).unwrap();
        if !name.contains("new") {
            file.set_modified(SystemTime::now() - 2 * STRAY_AFTER).unwrap();
        }
    }
    replace(&folder.path().join("out"), fill).unwrap();
    let mut expected: Vec<&str> = kept.into_iter().chain(["out"]).collect();
    let mut found = names(folder.path());
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn the_mode_and_a_link_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        replace(&link, fill).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&real).unwrap(), NEW);
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_link_to_nothing_and_a_link_loop_are_clear_errors() {
        let folder = tempfile::tempdir().unwrap();
        for target in ["nothing", "link"] {
            let link = folder.path().join("link");
            symlink(target, &link).unwrap();
            let message = replace(&link, fill).unwrap_err().to_string();
            assert!(message.ends_with("remove the link or create its target"), "{message}");
            assert!(link.is_symlink());
            fs::remove_file(link).unwrap();
        }
    }

    #[test]
    fn nothing_is_written_through_a_link_of_a_source() {
        let (source, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = Path::new(".apidisc/core.toml");
        symlink(outside.path(), source.path().join(".apidisc")).unwrap();
        let message = replace_below(source.path(), path, "text").unwrap_err().to_string();
        assert!(message.contains(".apidisc: it is a link") && message.ends_with("; remove the link"), "{message}");
        fs::remove_file(source.path().join(".apidisc")).unwrap();
        fs::create_dir(source.path().join(".apidisc")).unwrap();
        fs::write(outside.path().join("theirs"), "old").unwrap();
        symlink(outside.path().join("theirs"), source.path().join(path)).unwrap();
        assert!(replace_below(source.path(), path, "text").is_err());
        assert_eq!(fs::read_to_string(outside.path().join("theirs")).unwrap(), "old");
        fs::remove_file(source.path().join(path)).unwrap();
        replace_below(source.path(), path, "text").unwrap();
        assert_eq!(fs::read_to_string(source.path().join(path)).unwrap(), "text");
        assert_eq!(names(outside.path()), ["theirs"]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_device_is_a_clear_error_and_stays() {
        use std::os::unix::fs::FileTypeExt as _;
        let full = Path::new("/dev/full");
        let message = replace(full, fill).unwrap_err().to_string();
        assert!(message.starts_with("cannot write /dev/full: ") && message.contains("free some space"), "{message}");
        assert!(fs::metadata(full).unwrap().file_type().is_char_device());
    }
}
