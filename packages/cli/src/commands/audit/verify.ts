import { createReadStream } from 'node:fs';
import { splitLines } from '@meshwork/client';
import type { ChainFault, ChainReport } from '@meshwork/contract';
import { type ChainPoint, chainPointText, parseChainPoint } from '@meshwork/contract/chain';
import { Command, InvalidArgumentError } from 'commander';
import { EXIT_CODES } from '../../exit-codes.ts';
import { Failure, reasonOf } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { openSession, outputOf } from '../../session.ts';
import { table } from '../../table.ts';
import { printable } from '../../terminal-text.ts';
import { counted } from '../../wording.ts';
import { type ExportReport, verifyExport } from './verify-export.ts';

interface Options {
  readonly anchor?: ChainPoint;
  readonly file?: string;
}

/** The whole trail is recomputed before the answer comes; the platform waits no longer than this for an answer to begin. */
const VERIFY_TIMEOUT_MS = 5 * 60_000;

export function auditVerify(): Command {
  return new Command('verify')
    .summary('Verify the hash chain of the audit records')
    .description(
      'Verify the audit records: recompute every hash, and name the entries that were altered, removed, moved or inserted. Give the head that an earlier run printed as --anchor to prove that everything from then is still there.',
    )
    .option('--anchor <seq:hash>', 'the head of an earlier check: the trail must still contain it', anchorPoint)
    .option('--file <export>', 'check this export instead, here and without a coordinator')
    .action(async (options: Options, command: Command) => {
      const out = outputOf(command);
      const report =
        options.file === undefined
          ? await verifyOnline(command, options.anchor)
          : await verifyFile(options.file, options.anchor);
      await printReport(report, out);
    });
}

/** Ends the program with its own code when the chain is broken. */
export async function printReport(report: ChainReport | ExportReport, out: Output): Promise<void> {
  await out.result(report, () => reportText(report, (text) => out.strong(text)));
  if (!report.intact) process.exitCode = EXIT_CODES.chain_broken.code;
}

async function verifyOnline(command: Command, anchor: ChainPoint | undefined): Promise<ChainReport> {
  const { client } = await openSession(command);
  const { body } = await client.call('audit.verify', { body: { anchor }, timeout_ms: VERIFY_TIMEOUT_MS });
  return body;
}

async function verifyFile(file: string, anchor: ChainPoint | undefined): Promise<ExportReport> {
  const report = await verifyExport(splitLines(createReadStream(file)), anchor).catch((error: unknown) => {
    const message = `cannot read ${file}: ${reasonOf(error)}`;
    throw new Failure(message, { exit: 'usage', code: 'file_failed', cause: error });
  });
  if (report === undefined) throw new Failure(`${file} has no audit entries`, { exit: 'failed', code: 'no_entries' });
  if (anchor !== undefined && anchor.seq < report.base.seq) {
    const message = `the export starts at entry ${report.base.seq}, after the anchor ${anchor.seq}: it cannot show what the anchor is for`;
    throw new Failure(message, { exit: 'usage', code: 'usage', hint: 'export the trail from an earlier time' });
  }
  return report;
}

function anchorPoint(text: string): ChainPoint {
  const point = parseChainPoint(text);
  if (point !== undefined) return point;
  throw new InvalidArgumentError('Give it as SEQ:HASH, as an earlier `mesh audit verify` printed its head.');
}

function reportText(report: ChainReport | ExportReport, strong: (text: string) => string): string {
  const { checked, head, faults, intact } = report;
  const lines = [];
  if ('taken_as_given' in report && report.taken_as_given !== null) {
    lines.push(`The export starts in the middle: the hash of entry ${report.taken_as_given.seq} is taken as given.`);
  }
  lines.push(
    intact ? `The audit chain is intact: ${counted(checked, 'entry')} checked.` : 'The audit chain is BROKEN:',
  );
  if (!intact) lines.push(table(['SEQ', 'ID', 'FAULT', 'DETAIL'], faults.map(faultRow), strong));
  if ('taken_as_given' in report && faults.some(({ reason }) => reason === 'missing')) {
    lines.push('An export that was filtered, or made by a token with a narrow scope, also lacks entries.');
  }
  lines.push(printable(`head ${chainPointText(head)}`));
  return lines.join('\n');
}

function faultRow({ seq, id, reason, detail }: ChainFault): string[] {
  return [String(seq), id ?? '-', reason, detail];
}
