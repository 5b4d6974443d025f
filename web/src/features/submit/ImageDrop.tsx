import { Image } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { imageProblem } from '@/shared/lib/imageRules'
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
              setProblem('The image cannot be read. The file may be damaged.')
              onImage(null)
            }}
          />
        )
      }
    />
  )
}

// usePreview gives a file an address of its own, for as long as it is shown.
function usePreview(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => {
      setAddress(null)
      URL.revokeObjectURL(made)
    }
  }, [file])
  return address
}
