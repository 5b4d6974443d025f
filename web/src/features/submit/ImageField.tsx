import { useState } from 'react'
import { DAMAGED_IMAGE, imageError } from '@/entities/upload/fileRules'
import { Image } from '@/ui'
import { usePreview } from '@/ui/usePreview'
import { FileField } from './FileField'

interface Props {
  image: File | null
  disabled: boolean
  /** The form's own error of this field. */
  error: string | null
  onImage: (image: File | null) => void
}

/** The image of a map, with a preview. */
export function ImageField({ image, disabled, error, onImage }: Props) {
  const [fileError, setFileError] = useState<string | null>(null)
  const preview = usePreview(image)
  const choose = (file: File) => {
    const invalid = imageError(file)
    setFileError(invalid)
    onImage(invalid ? null : file)
  }
  return (
    <FileField
      label="Map image (.webp)"
      hint="WebP under 1 MB"
      accept=".webp"
      file={image}
      error={fileError ?? error}
      disabled={disabled}
      onFile={choose}
      onClear={() => onImage(null)}
      preview={
        preview && (
          <Image
            src={preview}
            alt="Preview of the map image"
            maxH="24"
            objectFit="contain"
            rounded="l2"
            onError={() => {
              setFileError(DAMAGED_IMAGE)
              onImage(null)
            }}
          />
        )
      }
    />
  )
}
