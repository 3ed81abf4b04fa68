import type { Peer, PeerTerms } from '@meshwork/contract';
import { HeldRecords, PEER, PEER_TERMS } from './held-records.ts';
import { ReceivedView } from './received-view.ts';

/** Everything the coordinator has sent to this node, with the records of its peers. What engines plan from. */
export class HeldView extends ReceivedView {
  readonly peers: HeldRecords<Peer> = new HeldRecords(PEER);
  readonly acl: HeldRecords<PeerTerms> = new HeldRecords(PEER_TERMS);
}
