//! The processor's time for criterion, in place of the clock's.

use cpu_time::ProcessTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use std::time::Duration;

/// What all threads of the process have used.
pub struct Cpu;

impl Measurement for Cpu {
    type Intermediate = ProcessTime;
    type Value = Duration;

    fn start(&self) -> ProcessTime {
        ProcessTime::now()
    }

    fn end(&self, start: ProcessTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
