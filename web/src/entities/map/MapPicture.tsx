import { useState } from 'react'
import { AspectRatio, Center, Image } from '@/ui'
import { MapIcon } from '@/ui/icons'

interface Props {
  src: string | null | undefined
  alt?: string
  eager?: boolean | undefined
}

/** A map's picture in a frame of 3:2, which stays while it loads and where it does not load. */
export function MapPicture({ src, alt = '', eager }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <AspectRatio ratio={3 / 2} bg="bg.muted" color="fg.subtle">
      {src && failed !== src ? (
        <Image
          src={src}
          alt={alt}
          objectFit="cover"
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          onError={() => setFailed(src)}
        />
      ) : (
        <Center>
          <MapIcon size={8} />
        </Center>
      )}
    </AspectRatio>
  )
}
