// Scenarios as they lie in the page: some of them in one block, with their texts.
import { index, read, unpack, type Packed, type Scenario } from "./data";

interface Block {
  texts: string[];
  scenarios: Packed[];
  /** By place in the block: ends of logs, a name and its lines. */
  excerpts: Record<string, [string, string[]][]>;
}

const blocks = new Map<number, Block>();

/** Ends of the logs of what failed in the scenario of a row of the index. */
export function excerptsAt(place: number): [string, string[]][] {
  return blockOf(place).excerpts[place % index.scenarios_per_block] ?? [];
}

/** The scenario of a row of the index. */
export function scenarioAt(place: number): Scenario {
  const block = blockOf(place);
  return unpack("Scenario", block.scenarios[place % index.scenarios_per_block], block.texts);
}

function blockOf(place: number): Block {
  const number = Math.floor(place / index.scenarios_per_block);
  let block = blocks.get(number);
  if (!block) {
    block = read<Block>(`scenarios-${number}`)!;
    blocks.set(number, block);
  }
  return block;
}
