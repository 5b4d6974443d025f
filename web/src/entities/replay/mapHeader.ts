const MODES = new Map([
  ['b', 'Classic'],
  ['sp', 'Grapple'],
  ['v', 'VTOL'],
  ['ar', 'Arrows'],
  ['ard', 'Death Arrows'],
  ['bs', 'Simple'],
  ['f', 'Football'],
])
const NEWEST_VERSION = 15

/** The facts at the beginning of a map's data. */
export interface MapHeader {
  name: string
  author: string
  /** The game's display name; an unknown code is its own name. Empty where none is set. */
  mode: string
  /** The game map id, -1 before the map has one. */
  databaseId: number
}

/** Reads the beginning of encoded map data, or returns null where it cannot be read. The server checks the rest. */
export function readMapHeader(encoded: string): MapHeader | null {
  try {
    return readHeader(Uint8Array.from(atob(unpack(encoded)), (char) => char.charCodeAt(0)))
  } catch {
    return null
  }
}

// Numbers are big-endian. Reading past the end throws a RangeError.
function readHeader(bytes: Uint8Array): MapHeader {
  const view = new DataView(bytes.buffer)
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let position = 0
  const skip = (size: number) => {
    position += size
    return position - size
  }
  const readText = () => {
    const size = view.getUint16(skip(2))
    return utf8.decode(bytes.buffer.slice(skip(size), view.byteLength < position ? fail('a text') : position))
  }
  const version = view.getInt16(skip(2))
  if (version < 1 || version > NEWEST_VERSION) fail('the version')
  // Each version added fields to the settings.
  skip(2 + (version >= 3 ? 2 : 0) + (version >= 13 ? 4 : version >= 4 ? 2 : 0) + (version >= 9 ? 1 : 0))
  readText() // name of the remixed map
  readText() // its author
  skip(6) // its id and version
  const name = readText()
  const author = readText()
  if (version >= 10) skip(8) // votes
  const contributors = version >= 4 ? view.getInt16(skip(2)) : 0
  for (let i = 0; i < contributors; i++) readText()
  const code = version >= 5 ? readText() : ''
  const databaseId = version >= 5 ? view.getInt32(skip(4)) : -1
  return { name, author, mode: MODES.get(code) ?? code, databaseId }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-'
const BITS_PER_CHAR = 6
// A multiple of 4, so that the text can be cut there and remains base64.
const MAX_UNPACKED = 1 << 20

const CODE_UNIT_8 = 0
const CODE_UNIT_16 = 1
const CODE_END = 2

/**
 * Unpacks what LZ-String's compressToEncodedURIComponent has packed, up to a limit: the library itself has none, and a
 * short text can unpack into gigabytes.
 */
function unpack(packed: string): string {
  const read = bitReader(packed)
  const phrases = ['', '', '']
  let text = ''
  let previous = ''
  while (text.length < MAX_UNPACKED) {
    const code = read(32 - Math.clz32(phrases.length))
    if (code === CODE_END) return text
    let phrase = phrases[code]
    if (code === CODE_UNIT_8 || code === CODE_UNIT_16) {
      phrase = String.fromCharCode(read(code === CODE_UNIT_8 ? 8 : 16))
      phrases.push(phrase)
    } else if (code === phrases.length) {
      phrase = previous + previous.charAt(0)
    }
    if (!phrase) return fail('a phrase')
    if (previous) phrases.push(previous + phrase.charAt(0))
    text += phrase
    previous = phrase
  }
  return text.slice(0, MAX_UNPACKED)
}

// Reads numbers from packed characters: six bits to a character, the highest first. A number begins with its lowest bit.
function bitReader(packed: string): (bits: number) => number {
  let position = 0
  return (bits) => {
    let number = 0
    for (let i = 0; i < bits; i++, position++) {
      const char = packed.charAt(Math.floor(position / BITS_PER_CHAR))
      const value = ALPHABET.indexOf(char === ' ' ? '+' : char)
      if (char === '' || value < 0) fail('a character')
      number += ((value >> (BITS_PER_CHAR - 1 - (position % BITS_PER_CHAR))) & 1) * 2 ** i
    }
    return number
  }
}

function fail(what: string): never {
  throw new RangeError(`The map data has ${what} that cannot be read.`)
}
