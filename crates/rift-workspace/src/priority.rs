//! The priority of threads whose work nobody waits for.

/// What is added to the niceness of such a thread; the highest, which yields to everything, is 19.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Makes the calling thread, and the threads that it starts from here on, yield to those that answer requests. There is no
/// way back. Where niceness belongs to a whole process (everywhere but on Linux), and where the system refuses, all stays
/// as it is.
pub fn yield_to_others() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_yields_and_the_process_does_not() {
        let nice = |task: &str| -> i32 {
            let stat = std::fs::read_to_string(format!("/proc/{task}/stat")).expect("a task");
            let fields: Vec<&str> = stat.rsplit_once(')').expect("a name").1.split_whitespace().collect();
            fields[16].parse().expect("a number")
        };
        let before = nice("thread-self");
        let (own, started) = std::thread::spawn(move || {
            yield_to_others();
            (nice("thread-self"), std::thread::spawn(move || nice("thread-self")).join().expect("no panic"))
        })
        .join()
        .expect("no panic");
        assert_eq!(nice("thread-self"), before);
        let expected = (before + NICENESS).min(19);
        assert_eq!((own, started), (expected, expected));
    }
}
