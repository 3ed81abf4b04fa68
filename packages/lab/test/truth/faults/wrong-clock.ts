/** Loaded into an agent before anything else: its wall clock is off by as many seconds as the environment says. */
const shift_ms = Number(process.env.WRONG_CLOCK_SHIFT_S) * 1000;
const RightDate = Date;

globalThis.Date = new Proxy(RightDate, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [shifted()] : args, self) as object,
  apply: () => new RightDate(shifted()).toString(),
  get: (target, key, self) => (key === 'now' ? shifted : (Reflect.get(target, key, self) as unknown)),
});

function shifted(): number {
  return RightDate.now() + shift_ms;
}
