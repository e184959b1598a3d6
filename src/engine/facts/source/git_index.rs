//! The paths in the index file of git, versions 2 to 4 (`gitformat-index`).
//!
//! Each path is passed to the caller before the next is read. So an index whose paths share prefixes takes no more
//! memory than its bytes, even if it is hostile.

/// The longest path that is read. Systems refuse longer ones.
const MAX_PATH_BYTES: usize = 4096;

/// The bytes of an entry before its flags: times, numbers, mode and the hash of the content.
const FIXED_BYTES: usize = 60;

/// Calls `add` with the path of each regular file of an index; `None` if the index is damaged. Paths before the damage
/// have been added.
pub(super) fn paths(bytes: &[u8], mut add: impl FnMut(&str)) -> Option<()> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let version = number(4)?;
    if !bytes.starts_with(b"DIRC") || !(2..=4).contains(&version) {
        return None;
    }
    let mut at = 12;
    let mut path = Vec::new();
    for _ in 0..number(8)? {
        let start = at;
        let is_regular = number(start + 24)? >> 12 == 0b1000;
        // This flag means that two more bytes of flags follow.
        let is_extended = bytes.get(start + FIXED_BYTES)? & 0x40 != 0;
        at += FIXED_BYTES + if is_extended { 4 } else { 2 };
        if version == 4 {
            let removed = removed_bytes(bytes, &mut at)?;
            path.truncate(path.len().checked_sub(removed)?);
        } else {
            path.clear();
        }
        let rest = bytes.get(at..)?;
        let len = memchr::memchr(0, rest)?;
        path.extend_from_slice(&rest[..len]);
        if path.len() > MAX_PATH_BYTES {
            return None;
        }
        at += len + 1;
        if version != 4 {
            // Entries are padded with zeros to a multiple of eight bytes.
            at = start + (at - start).next_multiple_of(8);
        }
        if let Ok(path) = std::str::from_utf8(&path)
            && is_regular
        {
            add(path);
        }
    }
    Some(())
}

/// The number of bytes that an entry of version 4 removes from the end of the previous path.
fn removed_bytes(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut value = 0_usize;
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value = value.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
        if byte & 128 == 0 {
            return Some(value);
        }
        value += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::paths;

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            version in 1_u8..6,
            count in 0_u32..9,
            rest in prop::collection::vec(any::<u8>(), 0..400),
        ) {
            let mut bytes = b"DIRC\0\0\0".to_vec();
            bytes.push(version);
            bytes.extend(count.to_be_bytes());
            bytes.extend(rest);
            let _ = paths(&bytes, |path| assert!(path.len() <= 400));
        }
    }

    #[test]
    fn a_path_that_grows_with_each_entry_ends_the_reading() {
        let mut bytes = b"DIRC\0\0\0\x04\0\x10\0\0".to_vec();
        for _ in 0..0x10_0000 {
            bytes.extend([0; 24]);
            bytes.extend([0, 0, 0x81, 0xa4]);
            bytes.extend([0; 34]);
            bytes.extend([0, b'a', 0]);
        }
        let mut longest = 0;
        assert_eq!(paths(&bytes, |path| longest = path.len()), None);
        assert_eq!(longest, 4096);
    }
}
