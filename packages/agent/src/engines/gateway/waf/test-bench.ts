/**
 * Tries a request on a policy: through the real engine, with that policy alone, in an nginx of its own that listens on a socket in a
 * private folder and ends with the request. What the gateway serves knows nothing of it, and a node that serves nothing can do it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Probe, ProbeResult, WafMatch } from '@meshwork/contract';
import { isId, newId } from '@meshwork/contract/vocabulary';
import { isCode } from '../../../host/atomic-file.ts';
import { InTurn } from '../../../host/in-turn.ts';
import { allProcesses, signalProcess } from '../../../host/processes.ts';
import { GATEWAY_USER, NGINX_MODULES } from '../nginx-config.ts';
import { block, directive, luaBlock, nginxText } from '../nginx-text.ts';
import { readRecord } from './audit-record.ts';
import { requestText, statusOf } from './bench-request.ts';
import { lackOfCountries } from './country-file.ts';
import { judging } from './engine-trial.ts';
import { patternsOf } from './operator-rules.ts';
import { type RuleSet, readRuleSet } from './rule-set.ts';
import { rulesText } from './rules-text.ts';
import { WAF_MODULE } from './waf-input.ts';
import { flagDefinitions, inspecting } from './waf-rules.ts';

type WafProbe = NonNullable<Probe['waf']>;
type Result = NonNullable<ProbeResult['waf']>;

interface TestBenchOptions {
  /** Private, and the agent's own. */
  readonly folder: string;
  /** The operator's rule set. */
  readonly rules: string;
  readonly countries: string | undefined;
}

const NAME = 'waf-test-';
/** In place of the service. */
const REACHED = luaBlock('content_by_lua_block', 'ngx.exit(200)');
const POLL_MS = 10;
const NGINX = 'nginx';
const MAX_ANSWER = 65_536;
/** The contract's limit on the time of a probe. */
const LONGEST_MS = 10_000;

export class TestBench {
  readonly #options: TestBenchOptions;
  readonly #turns = new InTurn();

  constructor(options: TestBenchOptions) {
    this.#options = options;
  }

  /** Ends what an agent before this one left when it was killed. */
  async sweep(): Promise<void> {
    const { folder } = this.#options;
    const left = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(NAME));
    for (const name of left) {
      const path = join(folder, name);
      for (const { pid, title } of await allProcesses()) {
        if (title.startsWith('nginx: master process') && title.includes(`${path}/`))
          signalProcess(pid, 'SIGTERM', NGINX);
      }
      await rm(path, { recursive: true, force: true });
    }
  }

  /** One at a time. */
  try(probe: WafProbe, signal: AbortSignal): Promise<Result> {
    return this.#turns.take(() => this.#try(probe, signal));
  }

  async #try(probe: WafProbe, stopped: AbortSignal): Promise<Result> {
    const { folder, rules, countries } = this.#options;
    const late = AbortSignal.timeout(Math.min(probe.within_ms, LONGEST_MS));
    const signal = AbortSignal.any([stopped, late]);
    signal.throwIfAborted();
    const set = await readRuleSet(rules);
    const path = await mkdtemp(join(folder, NAME));
    try {
      await chmod(path, 0o700);
      await writeBench(path, probe, set, countries);
      return await this.#run(path, probe, set, signal);
    } catch (error) {
      if (late.aborted) throw new Error('the engine did not answer in time', { cause: error });
      throw error;
    } finally {
      await rm(path, { recursive: true, force: true });
    }
  }

  async #run(path: string, { request }: WafProbe, set: RuleSet, signal: AbortSignal): Promise<Result> {
    const args = ['-e', 'stderr', '-p', `${path}/`, '-c', join(path, 'nginx.conf')];
    const child = spawn(NGINX, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-2000);
    });
    const ended = once(child, 'exit');
    ended.catch(() => undefined); // it is waited for below
    try {
      const answer = await this.#ask(path, request, {
        signal,
        isOver: () => child.exitCode !== null,
        said: () => said,
      });
      child.kill('SIGQUIT'); // it writes its record first
      await Promise.race([ended, once(signal, 'abort')]);
      signal.throwIfAborted();
      return resultOf(await readFile(join(path, 'audit.log'), 'utf8'), statusOf(answer), set);
    } finally {
      // One that hangs while it reads its rules heeds nothing else. Its workers are in its group.
      if (child.pid !== undefined) endGroup(child.pid);
      await ended.catch(() => undefined);
    }
  }

  async #ask(
    path: string,
    request: WafProbe['request'],
    {
      signal,
      isOver,
      said,
    }: { readonly signal: AbortSignal; readonly isOver: () => boolean; readonly said: () => string },
  ): Promise<string> {
    const text = requestText(request);
    for (;;) {
      signal.throwIfAborted();
      const answer = await exchanged(join(path, 'in.sock'), text, signal);
      if (answer !== undefined) return answer;
      if (isOver()) throw new Error(`the engine does not take this policy: ${reasonIn(said())}`);
      await pause(POLL_MS);
    }
  }
}

async function writeBench(path: string, { policy, request }: WafProbe, set: RuleSet, countries: string | undefined) {
  if (!isId('waf', policy.id)) throw new Error('the policy has no id');
  if (policy.rules.mode === 'off') throw new Error('the policy inspects nothing: its mode is off');
  const file = (name: string) => join(path, name);
  const lack = await lackOfCountries(policy.rules, countries);
  if (lack !== undefined) throw new Error(lack);
  for (const [name, text] of set.files) await writeFile(file(name), text);
  const loaded = { ...set, paths: set.order.map(file) };
  const audit_log = file('audit.log');
  const base = { temp: path, audit_log, countries };
  await writeFile(file('policy.conf'), rulesText({ policies: [policy], set: loaded, ...base }));
  // Not by chance: the request is inspected.
  const whole = { ...policy, rules: { ...policy.rules, sampling_percent: 100 } };
  const ingress = { id: newId('ingress', 0), hostname: request.host };
  const limit = policy.rules.requests.body_bytes;
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = nginxText([
    ...[...NGINX_MODULES.slice(0, 2), WAF_MODULE].map((module) => directive('load_module', module)),
    directive('user', GATEWAY_USER),
    directive('daemon', 'off'),
    directive('worker_processes', 1),
    directive('pid', file('nginx.pid')),
    directive('error_log', 'stderr', 'warn'),
    block('events', [], []),
    block(
      'http',
      [],
      [
        directive('access_log', 'off'),
        ...judging(patternsOf(policy.rules.rules)),
        ...temp.map((name) => directive(`${name}_temp_path`, file(name))),
        directive('client_body_buffer_size', '256k'),
        directive('large_client_header_buffers', 4, '16k'),
        directive('client_max_body_size', Math.max(1, limit)),
        directive('modsecurity_rules_file', file('policy.conf')),
        ...flagDefinitions([whole]),
        block(
          'server',
          [],
          [
            directive('listen', `unix:${file('in.sock')}`, 'proxy_protocol'),
            directive('set_real_ip_from', 'unix:'),
            directive('real_ip_header', 'proxy_protocol'),
            block('location', ['/'], [...inspecting(ingress, '/', whole), REACHED]),
          ],
        ),
      ],
    ),
  ]);
  await writeFile(file('nginx.conf'), config);
}

/** Undefined: it does not listen yet. */
function exchanged(path: string, text: Buffer, signal: AbortSignal): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const socket = connect({ path, signal });
  let answer = '';
  socket.setEncoding('latin1');
  socket.on('connect', () => socket.write(text));
  socket.on('data', (piece: string) => {
    if (answer.length < MAX_ANSWER) answer += piece;
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
    else reject(error);
  });
  socket.on('close', () => resolve(answer === '' ? undefined : answer));
  return promise;
}

function resultOf(log: string, status: number, set: RuleSet): Result {
  const reports = log.split('\n').flatMap((line) => readRecord(line, set.inventory) ?? []);
  const [report] = reports;
  const none: readonly WafMatch[] = [];
  // Without a record, only these two say what the policy makes of it: it came through, or its body is too large.
  if (report === undefined && status !== 200 && status !== 413) {
    throw new Error(`nginx refuses the request itself, with status ${status}`);
  }
  const refused = status === 413 ? 'blocked' : 'passed';
  return {
    verdict: report?.verdict ?? refused,
    status,
    score_in: report?.score_in ?? 0,
    matches: [...(report?.matches ?? none)],
    matches_left_out: report?.matches_left_out ?? 0,
    rule_set: set.version,
  };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!isCode(error, 'ESRCH')) throw error; // it has ended
  }
}

function reasonIn(said: string): string {
  const [, reason = said] = /\[emerg\] [^:]*: ([^\n]*)/.exec(said) ?? [];
  return reason.replaceAll(/\/\S*waf-test-[^/\s]*\//g, '').slice(0, 300);
}
