import LZString from 'lz-string'

// UNPACKED_LIMIT bounds the text inside a map string: a short string can unfold into a huge one.
export const UNPACKED_LIMIT = 8 << 20

// MapStringError says in which layer of a map string the fault lies.
export class MapStringError extends Error {
  constructor(
    readonly layer: 'packed string' | 'base64' | 'map bytes',
    message: string,
  ) {
    super(`${layer}: ${message}`)
  }
}

// unpack returns the bytes of a map string: base64, packed by LZ-String. It is measured before it is unfolded.
export function unpack(encoded: string): Uint8Array {
  if (measure(encoded, UNPACKED_LIMIT) === 0) return new Uint8Array()
  return fromBase64(LZString.decompressFromEncodedURIComponent(encoded) ?? '')
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-'
const BITS_PER_CHAR = 6
const NOT_IN_ALPHABET = 255

// The library takes a space for a plus, as forms turn one into the other.
const charBits = new Uint8Array(128).fill(NOT_IN_ALPHABET)
for (let i = 0; i < ALPHABET.length; i++) charBits[ALPHABET.charCodeAt(i)] = i
charBits[' '.charCodeAt(0)] = ALPHABET.indexOf('+')

const CODE_UNIT_8 = 0
const CODE_UNIT_16 = 1
const CODE_END = 2
const FIRST_PHRASE = 3

// measure walks through a packed string without unfolding it, and returns how many characters it holds. The library has
// no limit of its own and tells nothing of what is wrong; after this walk it cannot fail.
export function measure(packed: string, limit: number): number {
  const read = bitReader(packed)
  const first = read(2)
  if (first === CODE_END) return 0
  if (first >= FIRST_PHRASE) throw new MapStringError('packed string', 'it starts with a phrase')
  read(first === CODE_UNIT_8 ? 8 : 16)

  const lengths = [1]
  let total = 1
  let previous = 1
  let width = 3
  let room = 4
  const keep = (length: number) => {
    lengths.push(length)
    if (--room === 0) {
      room = 2 ** width
      width++
    }
  }
  for (;;) {
    const code = read(width)
    if (code === CODE_END) return total
    let length = 1
    if (code === CODE_UNIT_8 || code === CODE_UNIT_16) {
      read(code === CODE_UNIT_8 ? 8 : 16)
      keep(1)
    } else if (code - FIRST_PHRASE === lengths.length) {
      // The phrase that this very code completes.
      length = previous + 1
    } else {
      const known = lengths[code - FIRST_PHRASE]
      if (known === undefined) throw new MapStringError('packed string', 'a phrase that does not exist yet')
      length = known
    }
    total += length
    if (total > limit) throw new MapStringError('packed string', `it unfolds into more than ${limit} bytes`)
    keep(previous + 1)
    previous = length
  }
}

// bitReader takes fields out of the packed characters: six bits to a character, the highest first; fields begin with
// their lowest bit.
function bitReader(packed: string): (count: number) => number {
  let at = 0
  let bits = 0
  let left = 0
  return (count) => {
    let field = 0
    for (let i = 0; i < count; i++) {
      if (left === 0) {
        if (at === packed.length) throw new MapStringError('packed string', 'it ends too early')
        bits = charBits[packed.charCodeAt(at)] ?? NOT_IN_ALPHABET
        if (bits === NOT_IN_ALPHABET) {
          throw new MapStringError('packed string', `character ${at} is not in the alphabet`)
        }
        at++
        left = BITS_PER_CHAR
      }
      left--
      field += ((bits >> left) & 1) * 2 ** i
    }
    return field
  }
}

// fromBase64 takes text with or without padding, but no spaces and line breaks, which atob would skip.
function fromBase64(text: string): Uint8Array {
  let binary = ''
  try {
    if (/[\t\n\f\r ]/.test(text)) throw new Error()
    binary = atob(text)
  } catch {
    throw new MapStringError('base64', 'a character that base64 does not have')
  }
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}
