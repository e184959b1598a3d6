//! Constructors that are called by their own names: the calls count for the classes that declare the constructors.

use apidisc::{
    delivery::{Format, Packer},
    index::Scope,
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};

use crate::built;

const LIBRARY: &str = "\
class Sensor:
    def __init__(self, name, unit=None, *, scale=1): ...

class Thermometer(Sensor):
    def __init__(self, name, **kwargs):
        super().__init__(name, unit='K')

class Barometer(Sensor):
    def __init__(self):
        Sensor.__init__(self, 'pressure', unit='Pa')

class Clock(Sensor):
    def __init__(self):
        super().__init__('time')
";

#[test]
fn a_call_of_a_constructor_by_its_own_name_counts_for_the_class() {
    let index = built::index([("lib.py", LIBRARY), ("app.py", "from lib import Sensor\nSensor('a', scale=2)\n")]);
    let usage = |name: &str| {
        let found = index.definitions.iter().find(|definition| definition.fqn == name).expect("a definition");
        let counts: Vec<u32> = found.usage.parameters.iter().map(|parameter| parameter.count).collect();
        (found.usage.total_calls, counts)
    };
    assert_eq!(usage("lib.Sensor"), (4, vec![4, 2, 1]));
    assert_eq!(usage("lib.Sensor.__init__"), (0, vec![0, 0, 0]));
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let (id, _) = index.definitions_with_ids().find(|(_, found)| found.fqn == "lib.Sensor").expect("a class");
    let packer = Packer::new(&index, Scope::Definition(id), &tokenizer).expect("a scope");
    let stub = packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("a stub").text;
    assert_eq!(
        stub,
        "\
# from lib import Sensor: 100% of 4 calls
# e.g. Sensor('a', scale=2)
class Sensor:
    def __init__(
        self,
        name,  # REQUIRED
        unit=None,  # used in 50% of 4 calls
        *,
        scale=1,  # used in 25% of 4 calls
    ) -> None: ...
"
    );
}
