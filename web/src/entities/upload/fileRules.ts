import { t } from '@lingui/core/macro'

const MEGABYTE = 1 << 20

/** The largest replay that each page accepts; the server checks again. */
export const REPLAY_LIMIT_MB = { map: 5, record: 1 } as const
const IMAGE_LIMIT_MB = 1
export const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp']

export const damagedImage = () => t`The image cannot be read. The file may be damaged.`

/** Returns the error of a file above a limit, or null. */
export function sizeError(file: File, limitMb: number): string | null {
  return file.size > limitMb * MEGABYTE ? t`File too large. Maximum size is ${limitMb} MB` : null
}

/** Returns why an image may not be sent, or null. */
export function imageError(file: File): string | null {
  if (!IMAGE_TYPES.includes(file.type)) return t`Invalid image type. Please use JPG, PNG or WebP`
  return sizeError(file, IMAGE_LIMIT_MB)
}
