//! Types of calls that run functions and coroutines later: `asyncio`, `concurrent.futures`.

use super::{
    linker::Linker,
    types::{Type, TypeId},
};

impl Linker<'_> {
    /// The type of a call of the function `path` with positional arguments of the types `args`. `None` if the function
    /// runs nothing.
    pub(super) fn task_call_type(&mut self, path: &str, args: &[TypeId]) -> Option<TypeId> {
        let first = args.first().copied().unwrap_or_default();
        Some(match path {
            "asyncio.to_thread" | "anyio.to_thread.run_sync" => {
                let result = self.call_type(first);
                self.external_instance("Awaitable", &[result])
            }
            "asyncio.as_completed" => {
                let task = self.iteration_type(first);
                let result = self.awaited_type(task);
                let awaitable = self.external_instance("Awaitable", &[result]);
                self.external_instance("Iterable", &[awaitable])
            }
            "concurrent.futures.as_completed" => {
                let future = self.iteration_type(first);
                self.external_instance("Iterable", &[future])
            }
            "asyncio.wait" | "concurrent.futures.wait" => {
                let task = self.iteration_type(first);
                let set = self.external_instance("set", &[task]);
                let sets = self.types.add(Type::Tuple([set, set].into()));
                if path.starts_with("asyncio") { self.external_instance("Awaitable", &[sets]) } else { sets }
            }
            "asyncio.get_running_loop" | "asyncio.get_event_loop" | "asyncio.new_event_loop" => {
                self.external_instance("asyncio.AbstractEventLoop", &[])
            }
            _ => return None,
        })
    }

    /// The type of a call of the method `name` of an instance of the class `path`. `None` if the method runs nothing.
    pub(super) fn task_method_call_type(&mut self, path: &str, name: &str, args: &[TypeId]) -> Option<TypeId> {
        let first = args.first().copied().unwrap_or_default();
        Some(match name {
            "submit" if path.ends_with("PoolExecutor") => {
                let result = self.call_type(first);
                self.external_instance("asyncio.Future", &[result])
            }
            "map" if path.ends_with("PoolExecutor") => {
                let result = self.call_type(first);
                self.external_instance("Iterable", &[result])
            }
            "run_in_executor" => {
                let result = args.get(1).map_or(TypeId::UNKNOWN, |&function| self.call_type(function));
                self.external_instance("Awaitable", &[result])
            }
            "run" if path == "asyncio.Runner" => self.awaited_type(first),
            "run_until_complete" => self.awaited_type(first),
            "create_task" => {
                let item = self.awaited_type(first);
                self.external_instance("Awaitable", &[item])
            }
            _ => return None,
        })
    }
}

/// True for a class whose `__enter__` or `__aenter__` returns the instance itself.
pub(super) fn enters_itself(path: &str) -> bool {
    path.ends_with("PoolExecutor") || matches!(path, "asyncio.TaskGroup" | "asyncio.Runner")
}
