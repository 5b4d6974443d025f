import { useState } from 'react'
import { MapIcon } from '@/shared/components/icons'
import styles from './MapPicture.module.css'

interface Props {
  src: string | null | undefined
  alt?: string
  eager?: boolean | undefined
}

// MapPicture keeps its place while the picture loads, and where it doesn't.
export function MapPicture({ src, alt = '', eager }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <div className={styles.frame}>
      {src && failed !== src ? (
        <img
          src={src}
          alt={alt}
          className={styles.picture}
          loading={eager ? 'eager' : 'lazy'}
          onError={() => setFailed(src)}
        />
      ) : (
        <MapIcon size={8} />
      )}
    </div>
  )
}
