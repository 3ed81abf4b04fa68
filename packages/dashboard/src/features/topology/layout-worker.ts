/** Computes the layout in a worker, so that the page stays responsive with a large mesh. */
import { type LayoutRequest, layOut } from './layout.ts';

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  self.postMessage(layOut(data));
};
