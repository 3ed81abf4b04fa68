import { Text } from '@mantine/core';
import { span } from '../../../ui/ago.ts';
import { bytesText } from './quantities.ts';

interface TelemetryProps {
  /** By name, as the node sent it: a newer agent may tell of more than is known here. */
  readonly telemetry: Readonly<Record<string, number>>;
}

/** How the machine does, as of its last word about that. */
export function Telemetry({ telemetry }: TelemetryProps) {
  const { uptime_s, load, memory_used_bytes, memory_total_bytes, rx_bytes, tx_bytes } = telemetry;
  const parts: string[] = [];
  if (uptime_s !== undefined) parts.push(`up ${span(uptime_s)}`);
  if (load !== undefined) parts.push(`load ${load.toFixed(2)}`);
  if (memory_used_bytes !== undefined && memory_total_bytes !== undefined) {
    parts.push(`memory ${bytesText(memory_used_bytes)} of ${bytesText(memory_total_bytes)}`);
  }
  if (rx_bytes !== undefined && tx_bytes !== undefined) {
    parts.push(`${bytesText(rx_bytes)} received, ${bytesText(tx_bytes)} sent through the mesh`);
  }
  return (
    <Text size="sm" c="dimmed">
      Last telemetry: {parts.join(', ') || 'none'}.
    </Text>
  );
}
