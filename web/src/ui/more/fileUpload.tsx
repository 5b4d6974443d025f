import { FileUpload as Ark } from '@ark-ui/react/file-upload'
import { createStyleContext } from 'styled-system/jsx'
import { fileUpload } from 'styled-system/recipes'
import { fieldControl } from '../fieldControl'

const { withProvider, withContext } = createStyleContext(fileUpload)

/** Takes files from the file picker, or dropped on it. */
export const FileUpload = {
  Root: withProvider(Ark.Root, 'root'),
  Label: withContext(Ark.Label, 'label'),
  HiddenInput: fieldControl(Ark.HiddenInput),
  Dropzone: withContext(Ark.Dropzone, 'dropzone'),
  DropzoneContent: withContext('div', 'dropzoneContent'),
}
