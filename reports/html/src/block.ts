// Scenarios as they lie in the page: some of them in one block, with their texts.
import { index, read, unpack, type Packed, type Scenario } from "./data";

interface Block {
  texts: string[];
  scenarios: Packed[];
}

const blocks = new Map<number, Block>();

/** The scenario of a row of the index. */
export function scenarioAt(place: number): Scenario {
  const size = index.scenarios_per_block;
  const number = Math.floor(place / size);
  let block = blocks.get(number);
  if (!block) {
    block = read<Block>(`scenarios-${number}`)!;
    blocks.set(number, block);
  }
  return unpack("Scenario", block.scenarios[place % size], block.texts);
}
