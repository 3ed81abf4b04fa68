import type { Scope, WafPolicy } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { RecordForm } from '../../../mesh/record-form.tsx';
import { bodyOf, changesOf, draftOf, isComplete, newPolicy, newPolicyOf, type PolicyBody } from './policy-draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import { draftOfText, readText, textOf } from './policy-text.ts';

interface PolicyFormProps {
  /** Null: a new one. */
  readonly policy: WafPolicy | null;
  readonly etag: string | undefined;
  /** The person's own boundary. */
  readonly own: Scope;
  /** Begins anew with the policy as it is. */
  readonly onAgain?: () => void;
}

const TOUCHES = ['ingress', 'overview', 'audit'];
const DRAFTS = { bodyOf, changesOf, isComplete, textOf, readText, draftOfText };

/** Creates a policy or changes one. */
export function PolicyForm({ policy, etag, own, onAgain }: PolicyFormProps) {
  const isNew = policy === null;
  const [{ before, known }] = useState(() => ({
    before: policy === null ? newPolicy(own) : draftOf(policy),
    known: etag,
  }));
  const saving = useSave(policy, known);
  return (
    <RecordForm
      noun="policy"
      isNew={isNew}
      before={before}
      drafts={DRAFTS}
      saving={saving}
      back={policy === null ? '/waf' : `/waf/${policy.id}`}
      onAgain={onAgain}
      fields={(fields) => <PolicyFields {...fields} own={isNew ? own : null} />}
    />
  );
}

function useSave(policy: WafPolicy | null, etag: string | undefined) {
  const navigate = useNavigate();
  const options = { quiet: true, touches: TOUCHES };
  const create = useAction('waf.create', { ...options, done: ({ name }) => `Policy ${name} created` });
  const update = useAction('waf.update', { ...options, done: ({ name }) => `Policy ${name} saved` });
  const { error, isRunning } = policy === null ? create : update;
  const save = async (body: PolicyBody, before: PolicyBody) => {
    const saved =
      policy === null
        ? await create.run({ body: newPolicyOf(body) })
        : await update.run({ params: { id: policy.id }, body: changesOf(body, before), if_match: etag });
    await navigate({ to: '/waf/$id', params: { id: saved.body.id } });
  };
  return { save, error, isRunning };
}
