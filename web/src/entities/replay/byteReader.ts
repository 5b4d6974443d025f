import { MapStringError } from './unpack'

export interface Point {
  x: number
  y: number
}

// NONE is the index of nothing.
export const NONE = -1

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// ByteReader takes big-endian values out of bytes and throws a MapStringError where there are none left, or no good ones.
export class ByteReader {
  #view: DataView
  #at = 0

  constructor(data: Uint8Array) {
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  }

  bool = (): boolean => this.#view.getUint8(this.#take(1)) === 1
  short = (): number => this.#view.getInt16(this.#take(2))
  int = (): number => this.#view.getInt32(this.#take(4))
  uint = (): number => this.#view.getUint32(this.#take(4))
  float = (): number => this.#finite(this.#view.getFloat32(this.#take(4)))
  double = (): number => this.#finite(this.#view.getFloat64(this.#take(8)))
  point = (): Point => ({ x: this.double(), y: this.double() })

  // text reads a length, which counts bytes and has no sign, and so many bytes of UTF-8.
  text = (): string => {
    const size = this.#view.getUint16(this.#take(2))
    const start = this.#take(size)
    let value: string
    try {
      value = utf8.decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, size))
    } catch {
      return this.fail('a text that is not UTF-8')
    }
    return value.includes('\0') ? this.fail('a text with a NUL') : value
  }

  // index reads an index into a list of the given length; with orNone, NONE as well.
  index(length: number, { orNone = false } = {}): number {
    const index = this.short()
    const least = orNone ? NONE : 0
    return index >= least && index < length
      ? index
      : this.fail(`the index ${index} points nowhere (there are ${length})`)
  }

  // list reads a count and then as many things, each of which takes at least size bytes.
  list<T>(size: number, read: (index: number) => T): T[] {
    const count = this.short()
    if (count < 0) return this.fail(`the count is negative (${count})`)
    if (count > Math.floor((this.#view.byteLength - this.#at) / size)) {
      return this.fail(`${count} are announced and too few bytes are left`)
    }
    return Array.from({ length: count }, (_, i) => read(i))
  }

  fail(what: string): never {
    throw new MapStringError('map bytes', `before byte ${this.#at}: ${what}`)
  }

  #take(size: number): number {
    if (this.#view.byteLength - this.#at < size) this.fail('the data ends here')
    this.#at += size
    return this.#at - size
  }

  #finite(value: number): number {
    return Number.isFinite(value) ? value : this.fail('not a finite number')
  }
}
