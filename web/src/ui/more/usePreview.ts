import { useEffect, useState } from 'react'

/** Returns an address of a chosen file for as long as it is chosen. */
export function usePreview(file: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const created = URL.createObjectURL(file)
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the address is made and released outside of React
    setAddress(created)
    return () => {
      setAddress(null)
      URL.revokeObjectURL(created)
    }
  }, [file])
  return address
}
