import { useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { damagedImage, imageError } from '@/entities/upload/fileRules'
import { Image } from '@/ui'
import { usePreview } from '@/ui/more/usePreview'
import { FilePicker } from './FilePicker'
import { type FieldProps, useField } from './FormField'
import { useRejection } from './useRejection'

type Props<Values extends FieldValues> = FieldProps<Values, File | string | null> & {
  /** The types of the file picker, such as '.webp'. */
  accept: string
  /** Describes the preview for screen readers. */
  alt: string
}

/** An image with a preview. A file that cannot be taken leaves the one before. */
export function ImageField<Values extends FieldValues>(props: Props<Values>) {
  const { label, help, accept, alt } = props
  const { value, change, error, disabled } = useField<Values, File | string | null>(props)
  const [rejected, reject] = useRejection(value)
  const image = value instanceof File ? value : null
  const preview = usePreview(image)
  const before = useRef<File | string | null>(null)
  const choose = (file: File) => {
    const invalid = imageError(file)
    if (invalid) {
      reject(invalid, value)
    } else {
      before.current = value
      change(file)
    }
  }
  const restore = () => {
    const restored = before.current
    // The image before may be damaged, too.
    before.current = null
    change(restored)
    reject(damagedImage(), restored)
  }
  return (
    <FilePicker
      label={label}
      help={help}
      accept={accept}
      file={image}
      error={rejected ?? error}
      rejected={rejected !== null}
      disabled={disabled}
      onFile={choose}
      onClear={() => change(null)}
      preview={
        preview && <Image src={preview} alt={alt} maxH="24" objectFit="contain" rounded="l2" onError={restore} />
      }
    />
  )
}
