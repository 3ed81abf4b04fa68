import type { Ingress, Scope } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { RecordForm } from '../../../mesh/record-form.tsx';
import { bodyOf, changesOf, draftOf, type IngressBody, isComplete, newDraft, newIngressOf } from './ingress-draft.ts';
import { IngressFields } from './ingress-fields.tsx';
import { draftOfText, readText, textOf } from './ingress-text.ts';

interface IngressFormProps {
  /** Null: a new one. */
  readonly ingress: Ingress | null;
  readonly etag: string | undefined;
  /** The person's own boundary. */
  readonly own: Scope;
  /** Begins anew with the ingress as it is. */
  readonly onAgain?: () => void;
}

const TOUCHES = ['nodes', 'overview', 'audit', 'ca'];
const DRAFTS = { bodyOf, changesOf, isComplete, textOf, readText, draftOfText };

/** Creates an ingress or changes one. */
export function IngressForm({ ingress, etag, own, onAgain }: IngressFormProps) {
  const isNew = ingress === null;
  const [{ before, known }] = useState(() => ({
    before: ingress === null ? newDraft(own) : draftOf(ingress),
    known: etag,
  }));
  const saving = useSave(ingress, known);
  return (
    <RecordForm
      noun="ingress"
      isNew={isNew}
      before={before}
      drafts={DRAFTS}
      saving={saving}
      back={ingress === null ? '/ingress' : `/ingress/${ingress.id}`}
      onAgain={onAgain}
      fields={(fields) => <IngressFields {...fields} own={isNew ? own : null} />}
    />
  );
}

function useSave(ingress: Ingress | null, etag: string | undefined) {
  const navigate = useNavigate();
  const options = { quiet: true, touches: TOUCHES };
  const create = useAction('ingress.create', { ...options, done: ({ name }) => `Ingress ${name} created` });
  const update = useAction('ingress.update', { ...options, done: ({ name }) => `Ingress ${name} saved` });
  const { error, isRunning } = ingress === null ? create : update;
  const save = async (body: IngressBody, before: IngressBody) => {
    const request =
      ingress === null ? null : { params: { id: ingress.id }, body: changesOf(body, before), if_match: etag };
    const saved = request === null ? await create.run({ body: newIngressOf(body) }) : await update.run(request);
    await navigate({ to: '/ingress/$id', params: { id: saved.body.id } });
  };
  return { save, error, isRunning };
}
