/** What a policy does, a line each. What is as in any policy, and says nothing, is left out. */
import type { WafPolicy } from '@meshwork/contract';
import { sizeText } from '../../ui/sizes.ts';

interface PolicyLine {
  readonly label: string;
  readonly text: string;
  readonly help?: string;
}

export function policyLines(policy: WafPolicy): readonly PolicyLine[] {
  return [...strictness(policy), ...ofRequests(policy.requests), ...ofClients(policy.clients)];
}

function strictness(policy: WafPolicy): readonly PolicyLine[] {
  const { paranoia, thresholds, sampling_percent, inspect_responses, early_blocking } = policy;
  const recorded = paranoia.detect > paranoia.block ? `, recorded up to ${paranoia.detect}` : '';
  return [
    {
      label: 'Paranoia',
      text: `Level ${paranoia.block}${recorded}`,
      help: 'Rules up to this level count. A higher one finds more, and is wrong more often.',
    },
    {
      label: 'Threshold',
      text: `${thresholds.inbound} for requests${inspect_responses ? `, ${thresholds.outbound} for answers` : ''}`,
      help: 'A critical match scores 5, an error 4, a warning 3, a notice 2.',
    },
    { label: 'Answers', text: inspect_responses ? 'Inspected' : 'Not inspected' },
    ...(sampling_percent === 100 ? [] : [{ label: 'Sampling', text: `${sampling_percent} of 100 requests` }]),
    ...(early_blocking ? [{ label: 'Early blocking', text: 'On' }] : []),
  ];
}

function ofRequests(requests: WafPolicy['requests']): readonly PolicyLine[] {
  const { methods, content_types, body_bytes, arguments_most, argument_bytes, file_bytes, denied_extensions } =
    requests;
  return [
    { label: 'Methods', text: methods.join(', ') },
    ...(content_types.length === 0 ? [] : [{ label: 'Content types', text: content_types.join(', ') }]),
    {
      label: 'Largest body',
      text: sizeText(body_bytes),
      help: 'Larger ones are refused with 413: what is not inspected does not pass.',
    },
    ...(arguments_most === null ? [] : [{ label: 'Arguments', text: `${arguments_most} at most` }]),
    ...(argument_bytes === null ? [] : [{ label: 'Longest argument', text: sizeText(argument_bytes) }]),
    ...(file_bytes === null ? [] : [{ label: 'Largest file', text: sizeText(file_bytes) }]),
    ...(denied_extensions.length === 0 ? [] : [{ label: 'Refused files', text: denied_extensions.join(', ') }]),
  ];
}

function ofClients({
  trusted,
  denied,
  allowed_countries,
  denied_countries,
}: WafPolicy['clients']): readonly PolicyLine[] {
  return [
    ...(trusted.length === 0 ? [] : [{ label: 'Not inspected', text: trusted.join(', ') }]),
    ...(denied.length === 0 ? [] : [{ label: 'Refused', text: denied.join(', ') }]),
    ...(allowed_countries.length === 0 ? [] : [{ label: 'Only from', text: countryNames(allowed_countries) }]),
    ...(denied_countries.length === 0 ? [] : [{ label: 'Refused from', text: countryNames(denied_countries) }]),
  ];
}

const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

function countryNames(codes: readonly string[]): string {
  return codes.map((code) => NAMES.of(code) ?? code).join(', ');
}
