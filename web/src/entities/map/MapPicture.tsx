import { useState } from 'react'
import { AspectRatio, Center, Image } from '@/ui'
import { MapIcon } from '@/ui/icons'

interface Props {
  src: string | null | undefined
  /** The same picture, 480 pixels wide, and how wide the frame is, as in the attribute of an image. */
  small?: { src: string | null | undefined; sizes: string } | undefined
  alt?: string
  eager?: boolean | undefined
  /** The frame stays empty. */
  waiting?: boolean | undefined
}

/** A map's picture in a frame of 3:2, which stays while it loads and where it does not load. */
export function MapPicture({ src, small, alt = '', eager, waiting }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <AspectRatio ratio={3 / 2} bg="bg.muted" color="fg.subtle">
      {!waiting &&
        (src && failed !== src ? (
          <Image
            src={src}
            srcSet={small?.src ? `${small.src} 480w, ${src} 1600w` : undefined}
            sizes={small?.sizes}
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
        ))}
    </AspectRatio>
  )
}
