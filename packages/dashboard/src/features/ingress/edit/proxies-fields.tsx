import { Autocomplete, Stack } from '@mantine/core';
import { Folded } from '../../../ui/folded.tsx';
import { WordsField } from '../../../ui/words-field.tsx';
import { proxiesWords } from '../ingress-words.ts';
import { type ProxiesDraft, proxiesOf } from './front-draft.ts';

interface ProxiesFieldsProps {
  readonly draft: ProxiesDraft;
  readonly wrong: (field: string) => string | null;
  readonly isWrong: boolean;
  readonly onChange: (draft: ProxiesDraft) => void;
}

const HEADERS = ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP'];

/** Whose word on the address of a client counts. */
export function ProxiesFields({ draft, wrong, isWrong, onChange }: ProxiesFieldsProps) {
  const proxies = proxiesOf(draft);
  const summary = proxies === null ? 'None: clients connect to the gateways' : proxiesWords(proxies);
  return (
    <Folded title="Proxies in front" summary={summary} isOpenForced={isWrong}>
      <Stack>
        <WordsField
          label="Networks of the proxies"
          description="Of your CDN or load balancer. The header counts only in requests from these networks."
          placeholder="203.0.113.0/24"
          initial={draft.networks}
          choices={[]}
          error={wrong('networks')}
          onChange={(networks) => onChange({ ...draft, networks })}
        />
        <Autocomplete
          label="Header"
          description="Where they send the address of the client."
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data={HEADERS}
          value={draft.header}
          error={wrong('header')}
          onChange={(header) => onChange({ ...draft, header: header.trim() })}
        />
      </Stack>
    </Folded>
  );
}
