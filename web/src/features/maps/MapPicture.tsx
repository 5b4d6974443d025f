import { AspectRatio, type AspectRatioProps, Center, Image } from '@chakra-ui/react'
import { useState } from 'react'
import { MapIcon } from '@/shared/components/icons'

interface Props extends AspectRatioProps {
  src: string | null | undefined
  alt?: string
  eager?: boolean
}

// MapPicture keeps its place while the picture loads, and where it doesn't.
export function MapPicture({ src, alt = '', eager, ...props }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <AspectRatio ratio={3 / 2} bg="bg.muted" overflow="hidden" {...props}>
      {src && failed !== src ? (
        <Image src={src} alt={alt} loading={eager ? 'eager' : 'lazy'} onError={() => setFailed(src)} />
      ) : (
        <Center color="fg.subtle">
          <MapIcon boxSize="8" />
        </Center>
      )}
    </AspectRatio>
  )
}
