import { Stack, TextInput } from '@mantine/core';
import { Folded } from '../../../ui/folded.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { WordsField } from '../../../ui/words-field.tsx';
import classes from './edit.module.css';
import { type PolicyDraft, sizeProblem } from './policy-draft.ts';

type Requests = PolicyDraft['requests'];

interface RequestFieldsProps {
  readonly requests: Requests;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (requests: Requests) => void;
}

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/xml'];
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
const FURTHER = ['content_types', 'arguments_most', 'argument_bytes', 'file_bytes', 'denied_extensions'];

/** What a request may look like. */
export function RequestFields({ requests, wrong, onChange }: RequestFieldsProps) {
  const set = (change: Partial<Requests>) => onChange({ ...requests, ...change });
  return (
    <Section title="Requests" description="What a request may look like, whatever it says.">
      <Stack className={classes.readable}>
        <WordsField
          label="Methods"
          description="Requests with another one are refused."
          placeholder="GET"
          isRequired
          initial={requests.methods}
          choices={METHODS}
          error={wrong('methods')}
          onChange={(methods) => set({ methods: methods.map((one) => one.toUpperCase()) })}
        />
        <TextInput
          {...PLAIN}
          label="Largest body"
          description="Such as 13 MB. Larger ones are refused with 413: what is not inspected does not pass. A body is held in memory meanwhile."
          required
          value={requests.body}
          error={sizeProblem(requests.body) ?? wrong('body_bytes')}
          onChange={(event) => set({ body: event.currentTarget.value })}
        />
        <Folded
          title="Further limits"
          summary={furtherWords(requests)}
          isOpenForced={FURTHER.some((field) => wrong(field) !== null)}
        >
          <Stack>
            <WordsField
              label="Content types"
              description="That a body may have. Empty: any."
              placeholder="Any"
              initial={requests.content_types}
              choices={TYPES}
              error={wrong('content_types')}
              onChange={(types) => set({ content_types: types.map((one) => one.toLowerCase()) })}
            />
            <div className={classes.several}>
              <NumberField
                label="Arguments"
                description="How many at most."
                placeholder="Any number"
                isRequired={false}
                min={1}
                max={10_000}
                value={requests.arguments_most}
                error={wrong('arguments_most')}
                onChange={(arguments_most) => set({ arguments_most })}
              />
              <TextInput
                {...PLAIN}
                label="Longest argument"
                description="Of its value, such as 400."
                placeholder="Any length"
                value={requests.argument}
                error={sizeProblem(requests.argument) ?? wrong('argument_bytes')}
                onChange={(event) => set({ argument: event.currentTarget.value })}
              />
              <TextInput
                {...PLAIN}
                label="Largest file"
                description="That is uploaded."
                placeholder="Any size"
                value={requests.file}
                error={sizeProblem(requests.file) ?? wrong('file_bytes')}
                onChange={(event) => set({ file: event.currentTarget.value })}
              />
            </div>
            <WordsField
              label="Refused files"
              description="Ends of names that no uploaded file may have: exe, php."
              placeholder="None"
              initial={requests.denied_extensions}
              choices={[]}
              error={wrong('denied_extensions')}
              onChange={(ends) => set({ denied_extensions: ends.map((one) => one.toLowerCase().replace(/^\./, '')) })}
            />
          </Stack>
        </Folded>
      </Stack>
    </Section>
  );
}

function furtherWords({ content_types, arguments_most, argument, file, denied_extensions }: Requests): string {
  const said = [
    ...(content_types.length === 0 ? [] : [content_types.join(', ')]),
    ...(Number.isNaN(arguments_most) ? [] : [`${arguments_most} arguments`]),
    ...(argument === '' ? [] : [`arguments up to ${argument}`]),
    ...(file === '' ? [] : [`files up to ${file}`]),
    ...(denied_extensions.length === 0 ? [] : [`no ${denied_extensions.join(', ')}`]),
  ];
  return said.join(' · ') || 'None';
}
