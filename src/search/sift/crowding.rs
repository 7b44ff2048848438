//! Keeps one server from taking every place of the first hits where tools of others fit too.

use super::candidate::Candidate;

/// How many places belong together: what a search shows by default.
const PAGE: usize = 5;
/// How many of them one server may take where others fit too.
const MOST: usize = 4;
/// Pages that are looked at. Further hits are read by those who look for something else.
const PAGES: usize = 2;
/// Among so many of the best a tool of another server is looked for. It does not depend on how many hits are wanted, so that
/// they are in the same order however many are.
pub(super) const LOOKED_AT: usize = 2 * PAGE * PAGES;
/// What another tool must score beside one that gives way to it, to fit too.
const FITS: f64 = 0.6;

/// Moves tools of other servers up where one server would take more places than it may.
pub(super) fn spread(ranked: &mut [Candidate]) {
    let most = ranked.len().min(LOOKED_AT);
    for at in 0..most.min(PAGE * PAGES) {
        let page = &ranked[at - at % PAGE..at];
        let next = ranked[at];
        let is_full = |server: u32| page.iter().filter(|one| one.server_number == server).count() >= MOST;
        if next.server_number == 0 || !is_full(next.server_number) {
            continue;
        }
        let fits =
            |other: &Candidate| other.server_number != next.server_number && other.score() >= FITS * next.score();
        if let Some(behind) = ranked[at..most].iter().position(fits) {
            ranked[at..=at + behind].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(servers: &[(u32, f64)]) -> Vec<u32> {
        let candidate = |(slot, (server_number, words)): (usize, &(u32, f64))| Candidate {
            slot: slot as u32,
            server_number: *server_number,
            words: *words,
            ..Candidate::default()
        };
        let mut ranked: Vec<Candidate> = servers.iter().enumerate().map(candidate).collect();
        spread(&mut ranked);
        ranked.iter().map(|one| one.slot).collect()
    }

    #[test]
    fn the_fifth_place_goes_to_another_server_that_fits() {
        let servers = [(1, 1.0), (1, 0.9), (1, 0.9), (1, 0.9), (1, 0.8), (1, 0.8), (2, 0.5), (3, 0.4)];
        assert_eq!(ranked(&servers), [0, 1, 2, 3, 6, 4, 5, 7]);
    }

    #[test]
    fn nothing_moves_where_no_other_fits_or_tools_have_no_server() {
        let alone = [(1, 1.0), (1, 1.0), (1, 1.0), (1, 1.0), (1, 1.0), (2, 0.5)];
        assert_eq!(ranked(&alone), [0, 1, 2, 3, 4, 5]);
        assert_eq!(ranked(&alone.map(|(_, score)| (0, score))), [0, 1, 2, 3, 4, 5]);
        assert!(ranked(&[]).is_empty());
    }
}
