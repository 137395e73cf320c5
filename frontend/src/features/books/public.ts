export { Books, BooksSettings } from "./parts";
