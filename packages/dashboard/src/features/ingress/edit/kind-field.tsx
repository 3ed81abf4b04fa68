import { Radio } from '@mantine/core';
import { type IngressKind, KIND_WORDS, KINDS } from '../ingress-kinds.ts';
import classes from './edit.module.css';

interface KindFieldProps {
  readonly kind: IngressKind;
  readonly onChange: (kind: IngressKind) => void;
}

const MEANINGS: Readonly<Record<IngressKind, string>> = {
  http: 'Websites, APIs, gRPC and websockets. Gateways end TLS, and route by host name and path.',
  tls: 'TLS connections to a host name. The service ends TLS itself, and gateways do not look inside.',
  tcp: 'Every connection to a port of the gateways: databases, SSH, mail.',
  udp: 'Every packet to a port of the gateways: DNS, VoIP, game servers.',
};

/** Chosen first: everything else follows from it. */
export function KindField({ kind, onChange }: KindFieldProps) {
  return (
    <Radio.Group
      aria-label="Kind"
      value={kind}
      onChange={(value) => onChange(KINDS.find((one) => one === value) ?? 'http')}
    >
      <div className={`${classes.kinds} ${classes.readable}`}>
        {KINDS.map((one) => (
          <Radio.Card key={one} value={one} p="sm" className={classes.kind} aria-label={KIND_WORDS[one]}>
            <Radio.Indicator />
            <span>
              <span className={classes.kindName}>{KIND_WORDS[one]}</span>
              <span className={classes.kindMeaning}>{MEANINGS[one]}</span>
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
