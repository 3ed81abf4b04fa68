import type { ActorRef } from '@meshwork/contract';
import { type Icon, IconKey, IconServer, IconSettings, IconUser, IconUserQuestion } from '@tabler/icons-react';
import classes from './actor.module.css';

interface ActorProps {
  readonly actor: ActorRef;
}

const KINDS: Readonly<Record<ActorRef['kind'], { readonly icon: Icon; readonly word: string }>> = {
  person: { icon: IconUser, word: 'Person' },
  token: { icon: IconKey, word: 'Token' },
  node: { icon: IconServer, word: 'Node' },
  system: { icon: IconSettings, word: 'Coordinator' },
  anonymous: { icon: IconUserQuestion, word: 'Unauthenticated' },
};

/** Who did something. */
export function Actor({ actor }: ActorProps) {
  const { icon: Shown, word } = KINDS[actor.kind];
  return (
    <span className={classes.actor} title={actor.id === null ? word : `${word} ${actor.id}`}>
      <Shown size={15} role="img" aria-label={word} className={classes.icon} />
      <span className={classes.name}>{actor.name}</span>
    </span>
  );
}
