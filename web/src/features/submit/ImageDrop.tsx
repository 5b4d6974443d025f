import { Image } from '@chakra-ui/react'
import { useState } from 'react'
import { DAMAGED_IMAGE, imageProblem } from '@/shared/lib/fileRules'
import { usePreview } from '@/shared/lib/usePreview'
import { FileDrop } from './FileDrop'

interface Props {
  image: File | null
  disabled: boolean
  onImage: (image: File | null) => void
}

// ImageDrop takes a map's image and shows it.
export function ImageDrop({ image, disabled, onImage }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  const preview = usePreview(image)

  const choose = (file: File) => {
    const wrong = imageProblem(file)
    setProblem(wrong)
    onImage(wrong ? null : file)
  }

  return (
    <FileDrop
      label="Map image (.webp)"
      hint="WebP under 1 MB"
      accept=".webp"
      file={image}
      problem={problem}
      disabled={disabled}
      onFile={choose}
      onClear={() => onImage(null)}
      preview={
        preview && (
          <Image
            src={preview}
            alt="Preview of the map image"
            boxSize="24"
            objectFit="cover"
            rounded="l2"
            onError={() => {
              setProblem(DAMAGED_IMAGE)
              onImage(null)
            }}
          />
        )
      }
    />
  )
}
